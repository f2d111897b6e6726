import type { EventType } from './events.ts'

/** A permitted transition from any of the states `from` to the state `to`. `from` is null for the creation. */
export interface Transition<State extends string> {
  readonly from: readonly State[] | null
  readonly to: State
  /** The event that the transition emits, or null for none. */
  readonly emits: EventType | null
}

export interface Lifecycle<State extends string, Name extends string> {
  readonly states: readonly State[]
  /** States without a transition out of them. */
  readonly terminal: readonly State[]
  readonly transitions: Readonly<Record<Name, Transition<State>>>
}

/** A lifecycle with literal types of its states and transitions. */
export const defineLifecycle = <State extends string, Name extends string>(
  states: readonly State[],
  terminal: readonly NoInfer<State>[],
  transitions: Readonly<Record<Name, Transition<NoInfer<State>>>>,
): Lifecycle<State, Name> => ({ states, terminal, transitions })

export const transition = <State extends string>(
  from: readonly State[] | null,
  to: State,
  emits: EventType | null = null,
): Transition<State> => ({ from, to, emits })

/** An order, archive or tasking. Tasking waits in CREATED until a price is accepted (`taskingLifecycle`). */
export const orderLifecycle = defineLifecycle(
  [
    'CREATED',
    'BEING_PLACED',
    'PLACED',
    'PLACEMENT_FAILED',
    'BEING_FULFILLED',
    'FULFILLED',
    'FAILED_PERMANENTLY',
    'CANCELED',
  ],
  ['FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED'],
  {
    create: transition(null, 'CREATED', 'order.created'),
    hand_over: transition(['CREATED'], 'BEING_PLACED'),
    accept: transition(['BEING_PLACED'], 'PLACED', 'order.placed'),
    refuse: transition(['BEING_PLACED'], 'PLACEMENT_FAILED'),
    retry: transition(['PLACEMENT_FAILED'], 'BEING_PLACED'),
    give_up: transition(['PLACEMENT_FAILED'], 'FAILED_PERMANENTLY', 'order.failed'),
    begin_delivery: transition(['PLACED'], 'BEING_FULFILLED', 'order.being_fulfilled'),
    finish: transition(['PLACED', 'BEING_FULFILLED'], 'FULFILLED', 'order.fulfilled'),
    fail: transition(['PLACED', 'BEING_FULFILLED'], 'FAILED_PERMANENTLY', 'order.failed'),
    /** The hold that pays for the order cannot be renewed, and nothing was delivered. */
    stop: transition(
      ['CREATED', 'BEING_PLACED', 'PLACEMENT_FAILED', 'PLACED', 'BEING_FULFILLED'],
      'FAILED_PERMANENTLY',
      'order.failed',
    ),
    cancel: transition(['CREATED', 'PLACEMENT_FAILED'], 'CANCELED', 'order.cancelled'),
    /** A tasking order without an accepted price: not feasible, or not decided in time. */
    end_unpriced: transition(['CREATED'], 'FAILED_PERMANENTLY', 'order.failed'),
    /** While the cancellation policy of the product allows it; its fee is charged. */
    cancel_placed: transition(['PLACED'], 'CANCELED', 'order.cancelled'),
  },
)

/** The `subStatus` of a tasking order, before a price is accepted and during acquisition. */
export const taskingLifecycle = defineLifecycle(
  [
    'FEASIBILITY_WAITING_UPLOAD',
    'FEASIBILITY_WAITING_RESPONSE',
    'QUOTATION_WAITING_UPLOAD',
    'QUOTATION_WAITING_RESPONSE',
    'QUOTATION_ACCEPTED',
    'QUOTATION_REJECTED',
    'SCHEDULED',
    'TASKED',
    'COLLECTED',
    'DOWNLINKED',
    'PROCESSING',
    'DELIVERING',
    'NOT_FEASIBLE',
    'EXPIRED',
    'WITHDRAWN',
  ],
  ['QUOTATION_REJECTED', 'DELIVERING', 'NOT_FEASIBLE', 'EXPIRED', 'WITHDRAWN'],
  {
    /** The price is known when the order is placed. */
    accept_price: transition(null, 'QUOTATION_ACCEPTED'),
    request_quotation: transition(null, 'QUOTATION_WAITING_UPLOAD'),
    request_study: transition(null, 'FEASIBILITY_WAITING_UPLOAD', 'feasibility.requested'),
    answer_study: transition(['FEASIBILITY_WAITING_UPLOAD'], 'FEASIBILITY_WAITING_RESPONSE', 'feasibility.answered'),
    choose_option: transition(['FEASIBILITY_WAITING_RESPONSE'], 'QUOTATION_WAITING_UPLOAD'),
    choose_priced_option: transition(['FEASIBILITY_WAITING_RESPONSE'], 'QUOTATION_ACCEPTED', 'quotation.accepted'),
    offer_quotation: transition(['QUOTATION_WAITING_UPLOAD'], 'QUOTATION_WAITING_RESPONSE', 'quotation.requested'),
    accept_quotation: transition(['QUOTATION_WAITING_RESPONSE'], 'QUOTATION_ACCEPTED', 'quotation.accepted'),
    reject_quotation: transition(['QUOTATION_WAITING_RESPONSE'], 'QUOTATION_REJECTED', 'quotation.rejected'),
    reject_feasibility: transition(['FEASIBILITY_WAITING_UPLOAD'], 'NOT_FEASIBLE'),
    /** A newer quotation replaces one that was not decided. */
    supersede_quotation: transition(
      ['QUOTATION_WAITING_RESPONSE'],
      'QUOTATION_WAITING_RESPONSE',
      'quotation.requested',
    ),
    expire: transition(['FEASIBILITY_WAITING_RESPONSE', 'QUOTATION_WAITING_RESPONSE'], 'EXPIRED'),
    /** The customer cancels the order before a price was accepted. */
    withdraw: transition(
      ['FEASIBILITY_WAITING_UPLOAD', 'FEASIBILITY_WAITING_RESPONSE', 'QUOTATION_WAITING_UPLOAD'],
      'WITHDRAWN',
    ),
    schedule: transition(['QUOTATION_ACCEPTED'], 'SCHEDULED', 'tasking.progressed'),
    task: transition(['SCHEDULED'], 'TASKED', 'tasking.progressed'),
    collect: transition(['TASKED'], 'COLLECTED', 'tasking.progressed'),
    /** The collection does not satisfy the constraints, and the host plans the next pass. */
    replan: transition(['COLLECTED', 'DOWNLINKED', 'PROCESSING'], 'SCHEDULED', 'tasking.replanned'),
    downlink: transition(['COLLECTED'], 'DOWNLINKED', 'tasking.progressed'),
    process: transition(['DOWNLINKED'], 'PROCESSING', 'tasking.progressed'),
    deliver: transition(['PROCESSING'], 'DELIVERING', 'tasking.progressed'),
  },
)

/** The `decision` of a feasibility study. */
export const feasibilityStudyLifecycle = defineLifecycle(
  ['NOT_DECIDED', 'ACCEPTED', 'EXPIRED', 'WITHDRAWN'],
  ['ACCEPTED', 'EXPIRED', 'WITHDRAWN'],
  {
    upload: transition(null, 'NOT_DECIDED'),
    accept: transition(['NOT_DECIDED'], 'ACCEPTED'),
    expire: transition(['NOT_DECIDED'], 'EXPIRED'),
    withdraw: transition(['NOT_DECIDED'], 'WITHDRAWN'),
  },
)

/** The `decision` of a quotation. */
export const quotationLifecycle = defineLifecycle(
  ['NOT_DECIDED', 'ACCEPTED', 'REJECTED', 'EXPIRED', 'SUPERSEDED'],
  ['ACCEPTED', 'REJECTED', 'EXPIRED', 'SUPERSEDED'],
  {
    upload: transition(null, 'NOT_DECIDED'),
    accept: transition(['NOT_DECIDED'], 'ACCEPTED'),
    reject: transition(['NOT_DECIDED'], 'REJECTED'),
    expire: transition(['NOT_DECIDED'], 'EXPIRED'),
    supersede: transition(['NOT_DECIDED'], 'SUPERSEDED'),
  },
)

/** The execution of a processing job. A clip may go from `pending` to `running` directly. */
export const jobLifecycle = defineLifecycle(
  ['pending', 'dispatched', 'running', 'completed', 'failed', 'cancelled'],
  ['completed', 'failed', 'cancelled'],
  {
    create: transition(null, 'pending', 'job.created'),
    dispatch: transition(['pending'], 'dispatched'),
    start: transition(['pending', 'dispatched'], 'running', 'job.started'),
    /** The lease of a worker expired; another worker may take the job, under the same hold. */
    dispatch_again: transition(['running'], 'dispatched'),
    complete: transition(['dispatched', 'running'], 'completed', 'job.completed'),
    fail: transition(['pending', 'dispatched', 'running'], 'failed', 'job.failed'),
    cancel: transition(['pending', 'dispatched', 'running'], 'cancelled'),
  },
)

/** The payment of a processing job; it is settled when the execution ends. */
export const jobSettlementLifecycle = defineLifecycle(['reserved', 'captured', 'released'], ['captured', 'released'], {
  reserve: transition(null, 'reserved'),
  capture: transition(['reserved'], 'captured', 'job.captured'),
  release: transition(['reserved'], 'released', 'job.released'),
})

export const uploadLifecycle = defineLifecycle(
  ['initiated', 'uploading', 'uploaded', 'ingesting', 'completed', 'failed', 'cancelled', 'expired'],
  ['completed', 'failed', 'cancelled', 'expired'],
  {
    initiate: transition(null, 'initiated'),
    send: transition(['initiated'], 'uploading'),
    receive: transition(['initiated', 'uploading'], 'uploaded'),
    ingest: transition(['initiated', 'uploading', 'uploaded'], 'ingesting'),
    complete: transition(['ingesting'], 'completed', 'upload.completed'),
    fail: transition(['initiated', 'uploading', 'uploaded', 'ingesting'], 'failed'),
    cancel: transition(['initiated', 'uploading', 'uploaded'], 'cancelled'),
    expire: transition(['initiated', 'uploading', 'uploaded'], 'expired'),
  },
)

export type OrderStatus = (typeof orderLifecycle.states)[number]
export type OrderTransitionName = keyof typeof orderLifecycle.transitions
export type TaskingStatus = (typeof taskingLifecycle.states)[number]
export type TaskingTransitionName = keyof typeof taskingLifecycle.transitions
export type FeasibilityDecision = (typeof feasibilityStudyLifecycle.states)[number]
export type FeasibilityTransitionName = keyof typeof feasibilityStudyLifecycle.transitions
export type QuotationDecision = (typeof quotationLifecycle.states)[number]
export type QuotationTransitionName = keyof typeof quotationLifecycle.transitions
export type JobStatus = (typeof jobLifecycle.states)[number]
export type JobTransitionName = keyof typeof jobLifecycle.transitions
export type JobSettlement = (typeof jobSettlementLifecycle.states)[number]
export type UploadStatus = (typeof uploadLifecycle.states)[number]
export type UploadTransitionName = keyof typeof uploadLifecycle.transitions
