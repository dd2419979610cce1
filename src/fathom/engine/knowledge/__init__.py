"""What is known to whom: announcements, views, and views in words."""
