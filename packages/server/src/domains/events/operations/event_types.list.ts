import { eventDefinitions } from '@swath/contract/events.ts'
import { eventTypesListOperation } from '@swath/contract/operations/event_types.ts'
import { defineHandler } from '../../../engine/handler.ts'

/** The event types, as the contract declares them. */
export const handler = defineHandler(eventTypesListOperation, async () => ({
  event_types: Object.entries(eventDefinitions).map(([event_type, { summary, data, example }]) => ({
    event_type,
    summary,
    category: event_type.split('.')[0]!,
    data_schema: JSON.parse(JSON.stringify(data)) as Record<string, unknown>,
    example: { ...example },
  })),
}))
