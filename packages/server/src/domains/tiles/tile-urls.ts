/** The query string of the parameters; empty ones are omitted. */
export function formatQueryString(parameters: Readonly<Record<string, string | null | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value ? [`${name}=${encodeURIComponent(value)}`] : [],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Base URL of the tiles of an item. */
export const buildItemTilesUrl = (base: string, item_id: string): string => `${base}/api/v1/items/${item_id}/tiles`

/** URL template of XYZ tiles, with query parameters. */
export const buildItemTileUrlTemplate = (
  base: string,
  item_id: string,
  format: string,
  parameters: Readonly<Record<string, string | null | undefined>>,
): string => `${buildItemTilesUrl(base, item_id)}/{z}/{x}/{y}.${format}${formatQueryString(parameters)}`
