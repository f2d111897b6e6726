import type { World } from '../world.ts'

/** Creates a valid input of an operation from the fixtures. */
export type Example = (world: World) => object

/** Examples by operation id. A write may run only once, a read any number of times. */
export type Examples = Readonly<Record<string, Example>>
