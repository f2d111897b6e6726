/** Names that `CATALOG_HOSTS` accepts; their rows are in `known-hosts.ts`. */
export const knownHostNames = [
  'earth-search',
  'planetary-computer',
  'cdse',
  'usgs-landsat',
  'brazil-data-cube',
] as const

export type KnownStacHostName = (typeof knownHostNames)[number]
