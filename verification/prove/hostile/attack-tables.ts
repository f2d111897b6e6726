import { attacks } from './attacks.ts'
import type { Attack } from './attack-target.ts'
import { geometryAttacks } from './geometry-attacks.ts'
import { workAttacks } from './work-attacks.ts'

/** The tables of attacks, each in a file of its own. */
const attackTables: readonly (readonly Attack[])[] = [attacks, geometryAttacks, workAttacks]

/**
 * The attacks whose names contain a text. The short form has those on the server as a whole; the long one those on each kind of
 * geometry, body and computation too, which take a quarter of an hour.
 */
export const chooseAttacks = (short: boolean, only: string): readonly Attack[] =>
  (short && only === '' ? [attacks] : attackTables).flat().filter(({ name }) => name.includes(only))
