// Suggested names: a given name and something that lives by the sea, in the reader's language.

import type { Language } from "../words/tongue.svelte";
import { sameName } from "./name";

type Lists = readonly [given: string, family: string];

const LISTS: Record<Language, Lists> = {
  en: [
    "Ada Alba Amos Anna Anton Arlo Basil Bea Boris Cara Cleo Clara Dara David Dora Edith Elias " +
      "Ellen Emil Esme Felix Fern Flora Frida Gus Hana Hugo Ida Ines Iris Jonas Juno Karl Lena " +
      "Leo Liv Mara Max Mila Nell Nora Olaf Otto Piet Rosa Sela Tess Vera",
    "Albatross Auk Avocet Barnacle Bittern Bream Brine Clam Cockle Coral Cormorant Crane Curlew " +
      "Dab Dunlin Eider Fulmar Gannet Grebe Gull Heron Herring Kelp Kittiwake Lobster Loon " +
      "Mackerel Mussel Osprey Otter Oyster Pelican Pike Plover Puffin Sandpiper Sculpin Seal " +
      "Shearwater Shrimp Skua Snipe Sprat Squid Stork Tern Trout Wigeon",
  ],
  it: [
    "Ada Alba Anna Antonio Bice Bruno Carla Chiara Dario Diana Elena Elio Emma Enzo Fabio Flavia " +
      "Gaia Gianni Ginevra Gino Giulia Guido Ida Irene Ivo Lea Leo Lia Livia Luca Luisa Marco " +
      "Marta Mauro Mila Nadia Nico Nina Nora Olga Piero Pina Rita Rocco Rosa Sara Tino Vera",
    "Acciuga Airone Albatro Anguilla Aragosta Aringa Balena Branzino Calamaro Cefalo Cernia " +
      "Conchiglia Corallo Cormorano Cozza Delfino Dentice Fenicottero Foca Folaga Gabbiano " +
      "Gambero Garzetta Granchio Grongo Lontra Luccio Medusa Merluzzo Muggine Murena Orata " +
      "Ostrica Pellicano Polpo Razza Ricciola Rombo Sardina Scampo Seppia Sgombro Sogliola " +
      "Spigola Sterna Tonno Triglia Trota",
  ],
  pl: [
    "Ada Adam Agata Alina Anna Antek Bartek Basia Celina Darek Daria Ela Emil Ewa Feliks Franek " +
      "Gabriela Grzegorz Hania Henryk Ida Iga Igor Iza Jacek Jan Jola Julia Kacper Kasia Kuba " +
      "Lena Leon Magda Marek Marta Michał Nadia Nina Ola Olek Paweł Piotr Róża Stefan Tola " +
      "Wanda Zosia",
    "Albatros Bielik Bocian Czajka Czapla Delfin Dorsz Edredon Flądra Foka Gęś Głuptak Homar " +
      "Jesiotr Kaczka Karp Koral Kormoran Krab Krewetka Kulik Langusta Leszcz Lin Łabędź Łosoś " +
      "Makrela Małż Meduza Mewa Morświn Nur Okoń Ostryga Pelikan Perkoz Płotka Pstrąg Rybitwa " +
      "Sandacz Siewka Sum Szczupak Śledź Tuńczyk Węgorz Wydra Żuraw",
  ],
  uk: [
    "Ада Адам Аліна Андрій Анна Антон Богдан Варвара Василь Віра Ганна Гнат Данило Дарина Діана " +
      "Ева Еміль Євген Захар Зоя Іван Ігор Інна Ірина Катря Лев Леся Лідія Лука Майя Марко Марта " +
      "Микола Мирон Надія Назар Ніна Оксана Олег Олена Остап Павло Роман Соломія Тарас Уляна " +
      "Федір Юлія",
    "Альбатрос Баклан Бичок Буревісник Восьминіг Вугор Гагара Дельфін Журавель Йорж Кайра Калкан " +
      "Камбала Карась Кефаль Кит Корал Короп Краб Креветка Крячок Кулик Лебідь Лелека Лин Лосось " +
      "Медуза Мідія Морж Норець Окунь Омар Оселедець Осетер Пелікан Перлина Рак Скат Скумбрія " +
      "Сом Судак Тріска Тунець Тюлень Устриця Форель Чайка Щука",
  ],
  ru: [
    "Ада Алиса Андрей Анна Антон Арина Борис Вадим Варя Вера Виктор Галина Глеб Дарья Денис Диана " +
      "Ева Егор Елена Жанна Захар Зоя Иван Игорь Инна Ирина Кира Кирилл Лев Лида Лука Майя Марк " +
      "Марта Мирон Надя Назар Нина Оксана Олег Ольга Павел Рита Роман Соня Тимур Ульяна Юля",
    "Альбатрос Баклан Буревестник Бычок Гагара Дельфин Ёрш Журавль Кайра Камбала Карась Карп " +
      "Кефаль Кит Коралл Краб Крачка Креветка Кулик Лебедь Линь Лосось Медуза Мидия Морж Нырок " +
      "Окунь Омар Осётр Пеликан Рак Ракушка Сайра Сельдь Скат Скумбрия Сом Судак Треска Тунец " +
      "Тюлень Угорь Устрица Форель Цапля Чайка Щука Янтарь",
  ],
};

const pick = (words: string, dice: () => number): string => {
  const all = words.split(" ");
  return all[Math.floor(dice() * all.length)]!;
};

/** How many names there are to suggest. */
export const namesIn = (language: Language): number =>
  LISTS[language].reduce((product, words) => product * new Set(words.split(" ")).size, 1);

/** A name that nobody in this company has. */
export function suggestName(
  language: Language,
  taken: readonly string[] = [],
  dice: () => number = Math.random,
): string {
  const [given, family] = LISTS[language];
  for (;;) {
    const name = `${pick(given, dice)} ${pick(family, dice)}`;
    if (!taken.some((other) => sameName(other, name))) return name;
  }
}
