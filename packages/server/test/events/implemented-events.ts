import { eventTypes, type EventType } from '@swath/contract/events.ts'
import { registry } from '@swath/contract/registry.ts'

const emittersOf = (kind: EventType) => registry.filter(({ emits }) => emits.includes(kind))

/** True if operations emit the kind, and none of them is implemented. */
const waitsForOperations = (kind: EventType): boolean => {
  const emitters = emittersOf(kind)
  return emitters.length > 0 && emitters.every(({ implemented }) => !implemented)
}

/** The kind with which the entities of a kind begin, such as `job.created` of `job.failed`. */
const creationOf = (kind: EventType): EventType | undefined =>
  eventTypes.find((candidate) => candidate === `${kind.split('.')[0]}.created`)

/**
 * The kinds of events that can happen: not those that only operations emit which are not implemented yet, nor the later ones of
 * entities that only such operations create.
 */
export const implementedEventTypes = (): EventType[] =>
  eventTypes.filter((kind) => {
    const creation = creationOf(kind)
    return !waitsForOperations(kind) && (creation === undefined || !waitsForOperations(creation))
  })
