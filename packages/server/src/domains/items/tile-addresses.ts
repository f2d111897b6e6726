/** Parameters that are carried along in an address; those that are empty are left out. */
export function queryOf(words: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(words).flatMap(([name, word]) => (word ? [`${name}=${encodeURIComponent(word)}`] : []))
  return given.length === 0 ? '' : `?${given.join('&')}`
}

/** What the addresses of the tiles of an item begin with. */
export const tilesRoot = (base: string, item_id: string): string => `${base}/api/v1/items/${item_id}/tiles`

/** The template of XYZ tiles, with the parameters that every tile needs. */
export const tileTemplate = (
  base: string,
  item_id: string,
  format: string,
  words: Readonly<Record<string, string | null | undefined>>,
): string => `${tilesRoot(base, item_id)}/{z}/{x}/{y}.${format}${queryOf(words)}`
