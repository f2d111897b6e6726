import { eventsListOperation } from '@swath/contract/operations/events.ts'
import { defineHandler } from '../../../engine/handler.ts'
import {
  decodeNextToken,
  encodeNextToken,
  toPageWithNextToken,
  uuidSortKeyPattern,
} from '../../../engine/page-token.ts'
import type { Call } from '../../../engine/call.ts'
import { getOrganizationRole } from '../../organizations/membership.ts'
import { visibleProjectsSql } from '../../projects/visibility.ts'
import { toEventJson } from '../event-json.ts'
import { assignEventNumbers } from '../number-events.ts'
import { listNumberedEvents, findLastEventNumber } from '../store.sequence.ts'
import { listEvents } from '../store.ts'
import { toEventVisibility } from '../visibility.ts'

const sequenceKey = /^\d{1,15}$/

export const handler = defineHandler(eventsListOperation, async (call, input) => {
  const filter = {
    organization: call.organization,
    kind: input.event_type ?? null,
    entity_type: input.entity_type ?? null,
    entity_id: input.entity_id ?? null,
    visibility: await readEventVisibility(call),
  }
  if (input.order === 'oldest') {
    await assignEventNumbers(call.db, call.organization)
    const after = decodeNextToken(call, input, [sequenceKey])?.[0] ?? '0'
    // A poller that has all events reads no day.
    const has_more = Number(after) < (await findLastEventNumber(call.db, call.organization))
    const rows = has_more
      ? await listNumberedEvents(call.db, { ...filter, after: Number(after), from: null, limit: input.limit })
      : []
    return {
      events: rows.map(toEventJson),
      next: encodeNextToken(call, input, [String(rows.at(-1)?.sequence ?? after)]),
    }
  }
  const rows = await listEvents(call.db, {
    ...filter,
    before: decodeNextToken(call, input, [uuidSortKeyPattern])?.[0] ?? null,
    limit: input.limit + 1,
  })
  const { page, next } = toPageWithNextToken(call, input, rows, ({ id }) => [id])
  return { events: page.map(toEventJson), ...next }
})

async function readEventVisibility(call: Call) {
  return toEventVisibility(await visibleProjectsSql(call), await getOrganizationRole(call))
}
