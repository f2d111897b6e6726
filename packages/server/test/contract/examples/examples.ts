import type { ContractFixtures } from '../fixtures.ts'

/** Creates a valid input of an operation from the fixtures. */
export type ExampleInput = (fixtures: ContractFixtures) => object

/** Examples by operation id. A write may run only once, a read any number of times. */
export type ExampleInputs = Readonly<Record<string, ExampleInput>>
