import Type from 'typebox'
import { defineEvent, exampleIds, NullableText, PositiveCount, Text, type EventDefinition } from './define-event.ts'

const orderStatusFields = {
  fromStatus: NullableText,
  toStatus: Text,
  creditsCaptured: PositiveCount,
  creditsRefunded: PositiveCount,
  failureReason: NullableText,
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

const OrderReference = { order_id: Text }

export const taskingEvents = {
  'feasibility.requested': defineEvent('A feasibility study was requested.', OrderReference, {
    order_id: exampleIds.order,
  }),
  'feasibility.answered': defineEvent(
    'A feasibility study is ready for a decision.',
    { ...OrderReference, option_count: PositiveCount },
    { order_id: exampleIds.order, option_count: 2 },
  ),
  'quotation.requested': defineEvent(
    'A quotation is ready for a decision.',
    { ...OrderReference, credits: PositiveCount },
    { order_id: exampleIds.order, credits: 45_000 },
  ),
  'quotation.accepted': defineEvent(
    'A quotation was accepted.',
    { ...OrderReference, credits: PositiveCount },
    { order_id: exampleIds.order, credits: 45_000 },
  ),
  'quotation.rejected': defineEvent('A quotation was rejected.', OrderReference, { order_id: exampleIds.order }),
}
