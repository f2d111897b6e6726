/** Restores the plus of a UTC offset that URL decoding turned into a space. */
export const restorePlus = (text: string): string => text.replaceAll(/ (?=\d\d:\d\d(?:\/|$))/g, '+')
