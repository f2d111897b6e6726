/** A number among the words of proj4 text, such as `+lat_0=-90`; null where the word is absent or has no number. */
export function readProj4Number(text: string, name: string): number | null {
  const value = new RegExp(
    String.raw`(?:^|\s)\+${name}=([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)(?=\s|$)`,
    'i',
  ).exec(text)?.[1]
  return value === undefined ? null : Number(value)
}
