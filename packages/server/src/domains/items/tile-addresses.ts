/** The query string of the parameters; empty ones are omitted. */
export function queryOf(words: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(words).flatMap(([name, word]) => (word ? [`${name}=${encodeURIComponent(word)}`] : []))
  return given.length === 0 ? '' : `?${given.join('&')}`
}

/** Base URL of the tiles of an item. */
export const tilesRoot = (base: string, item_id: string): string => `${base}/api/v1/items/${item_id}/tiles`

/** URL template of XYZ tiles, with query parameters. */
export const tileTemplate = (
  base: string,
  item_id: string,
  format: string,
  words: Readonly<Record<string, string | null | undefined>>,
): string => `${tilesRoot(base, item_id)}/{z}/{x}/{y}.${format}${queryOf(words)}`
