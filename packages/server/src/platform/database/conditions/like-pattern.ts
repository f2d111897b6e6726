/** The pattern of `like` for values that contain a text: it escapes `%`, `_` and the escape character. */
export const toContainsPattern = (text: string): string =>
  `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
