import Type from 'typebox'
import {
  defineEvent,
  exampleEntityIds,
  EventTimestamp,
  NullableEventText,
  EventText,
  type EventDefinition,
} from './define-event.ts'
import { Count, Uuid } from '../schemas/primitives.ts'

const orderStatusFields = {
  fromStatus: NullableEventText,
  toStatus: EventText,
  creditsCaptured: Count,
  creditsRefunded: Count,
  failureReason: NullableEventText,
}

const defineOrderEvent = (
  summary: string,
  fromStatus: string | null,
  toStatus: string,
  rest: { creditsCaptured?: number; creditsRefunded?: number; failureReason?: string } = {},
): EventDefinition =>
  defineEvent(summary, orderStatusFields, {
    fromStatus,
    toStatus,
    creditsCaptured: 0,
    creditsRefunded: 0,
    failureReason: null,
    ...rest,
  })

export const orderEvents = {
  'order.created': defineOrderEvent('An order was accepted and its credits are held.', null, 'CREATED'),
  'order.placed': defineOrderEvent('The host accepted the order.', 'BEING_PLACED', 'PLACED'),
  'order.being_fulfilled': defineEvent(
    'The first batch of a delivery was stored.',
    { ...orderStatusFields, newItemCount: Type.Integer({ minimum: 1 }) },
    {
      fromStatus: 'PLACED',
      toStatus: 'BEING_FULFILLED',
      creditsCaptured: 0,
      creditsRefunded: 0,
      failureReason: null,
      newItemCount: 3,
    },
  ),
  'order.fulfilled': defineOrderEvent('The order was delivered in full and charged.', 'BEING_FULFILLED', 'FULFILLED', {
    creditsCaptured: 1200,
  }),
  'order.failed': defineOrderEvent(
    'The order failed permanently and its hold was released.',
    'PLACED',
    'FAILED_PERMANENTLY',
    { creditsRefunded: 1200, failureReason: 'The host has no such scene.' },
  ),
  'order.cancelled': defineOrderEvent('The order was cancelled and its hold released.', 'PLACED', 'CANCELLED', {
    creditsRefunded: 1200,
  }),
}

const subStatusFields = {
  fromSubStatus: NullableEventText,
  toSubStatus: EventText,
  reasonCode: NullableEventText,
}

const defineTaskingEvent = (
  summary: string,
  fromSubStatus: string | null,
  toSubStatus: string,
  reasonCode: string | null = null,
): EventDefinition => defineEvent(summary, subStatusFields, { fromSubStatus, toSubStatus, reasonCode })

export const taskingEvents = {
  'feasibility.requested': defineTaskingEvent('A feasibility study was requested.', null, 'FEASIBILITY_WAITING_UPLOAD'),
  'feasibility.answered': defineEvent(
    'A feasibility study is ready for a decision.',
    { ...subStatusFields, studyId: Uuid, decideBy: EventTimestamp },
    {
      fromSubStatus: 'FEASIBILITY_WAITING_UPLOAD',
      toSubStatus: 'FEASIBILITY_WAITING_RESPONSE',
      reasonCode: null,
      studyId: exampleEntityIds.decision,
      decideBy: '2026-08-01T00:00:00.000Z',
    },
  ),
  'quotation.requested': defineEvent(
    'A quotation is ready for a decision.',
    { ...subStatusFields, quotationId: Uuid, creditsPrice: Count, decideBy: EventTimestamp },
    {
      fromSubStatus: 'QUOTATION_WAITING_UPLOAD',
      toSubStatus: 'QUOTATION_WAITING_RESPONSE',
      reasonCode: null,
      quotationId: exampleEntityIds.decision,
      creditsPrice: 45_000,
      decideBy: '2026-08-01T00:00:00.000Z',
    },
  ),
  'quotation.accepted': defineEvent(
    'A price was accepted and is held.',
    { ...subStatusFields, creditsPrice: Count },
    {
      fromSubStatus: 'QUOTATION_WAITING_RESPONSE',
      toSubStatus: 'QUOTATION_ACCEPTED',
      reasonCode: null,
      creditsPrice: 45_000,
    },
  ),
  'quotation.rejected': defineTaskingEvent(
    'A quotation was rejected.',
    'QUOTATION_WAITING_RESPONSE',
    'QUOTATION_REJECTED',
  ),
  'tasking.progressed': defineTaskingEvent(
    'The acquisition of a tasking order reached its next stage.',
    'TASKED',
    'COLLECTED',
  ),
  'tasking.replanned': defineTaskingEvent(
    'A collection did not satisfy the constraints; the next pass is planned.',
    'TASKED',
    'SCHEDULED',
    'cloud_cover',
  ),
}
