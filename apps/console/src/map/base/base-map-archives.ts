// Written by tools/base-map/build.ts.

/** The archives of tiles that the server has: the hash of each is in its name. */
export const archives = {
  world: { name: 'world-f1efde0709195c5f', maxzoom: 7 },
  relief: { name: 'relief-ef412e164de629bb', maxzoom: 4 },
} as const
