import { validationProblem, type Problem } from '../../engine/problem.ts'
import type { OperationQuotas } from '../../platform/quotas.ts'
import type { Actor } from '../../engine/actor.ts'

/** An actor that writes item metadata: a call, or `createTaskActor` of a task. */
export interface ItemMetadataWriter extends Actor {
  readonly quotas: Pick<OperationQuotas, 'item_metadata_bytes'>
}

/** The error for metadata beyond the limit; `path` names the largest part, empty for the item as a whole. */
export const createMetadataTooLargeProblem = ({ quotas }: Pick<ItemMetadataWriter, 'quotas'>, path = ''): Problem =>
  validationProblem([{ path, message: `gives the item more than ${quotas.item_metadata_bytes} bytes of metadata` }])

/**
 * Reading an item reads all of its metadata, so a change must not exceed the limit. An item from before the limit that
 * exceeds it may shrink. Throws `validation`.
 */
export function requireMetadataWithinLimit(
  writer: Pick<ItemMetadataWriter, 'quotas'>,
  before: number,
  after: number,
  path?: string,
): void {
  if (after > before && after > writer.quotas.item_metadata_bytes) throw createMetadataTooLargeProblem(writer, path)
}

const jsonLength = (value: unknown): number => JSON.stringify(value ?? null).length

/** The name of the largest entry by JSON length. */
export const findLargestMetadataEntry = (parts: Readonly<Record<string, unknown>>): string =>
  Object.entries(parts).reduce<readonly [string, number]>(
    (largest, [name, value]) => (jsonLength(value) > largest[1] ? [name, jsonLength(value)] : largest),
    ['', 0],
  )[0]
