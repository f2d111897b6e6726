import { validationProblem, type Problem } from '../../engine/problem.ts'
import type { Quotas } from '../../platform/quotas.ts'
import type { Actor } from '../events/emit.ts'

/** Who writes what is said of items: a call, or `actorOf` of a task. */
export interface ItemWriter extends Actor {
  readonly quotas: Pick<Quotas, 'item_metadata_bytes'>
}

/** The refusal of more metadata than one item may have; `path` names what is too large of it, empty where the whole is. */
export const tooMuchMetadata = ({ quotas }: Pick<ItemWriter, 'quotas'>, path = ''): Problem =>
  validationProblem([{ path, message: `gives the item more than ${quotas.item_metadata_bytes} bytes of metadata` }])

/**
 * Every reader of an item reads all that is said of it, so a change may not leave more than the limit. An item that has
 * more, from the time before the limit, may shrink. Throws `validation`.
 */
export function checkMetadata(writer: Pick<ItemWriter, 'quotas'>, before: number, after: number, path?: string): void {
  if (after > before && after > writer.quotas.item_metadata_bytes) throw tooMuchMetadata(writer, path)
}

const lengthOf = (value: unknown): number => JSON.stringify(value ?? null).length

/** The name of the longest of some parts. */
export const largestOf = (parts: Readonly<Record<string, unknown>>): string =>
  Object.entries(parts).reduce<readonly [string, number]>(
    (largest, [name, value]) => (lengthOf(value) > largest[1] ? [name, lengthOf(value)] : largest),
    ['', 0],
  )[0]
