import { attacks } from './attacks.ts'
import type { Attack } from './attack-target.ts'
import { workAttacks } from './work-attacks.ts'

/** The tables of attacks, each in a file of its own. */
export const attackTables: readonly (readonly Attack[])[] = [attacks, workAttacks]
