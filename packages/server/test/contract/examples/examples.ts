import type { World } from '../world.ts'

/** A valid input of an operation, made of what the world holds. */
export type Example = (world: World) => object

/** Examples by operation id. A changing one may be run once only; a reading one as often as one likes. */
export type Examples = Readonly<Record<string, Example>>
