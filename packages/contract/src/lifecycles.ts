import type { EventType } from './events.ts'

/** A permitted transition from any of the states `from` to the state `to`. `from` is null for the creation. */
export interface LifecycleTransition<State extends string> {
  readonly from: readonly State[] | null
  readonly to: State
  /** The event that the transition emits, or null for none. */
  readonly emits: EventType | null
}

export interface Lifecycle<State extends string, Name extends string> {
  readonly states: readonly State[]
  /** States without a transition out of them. */
  readonly terminal: readonly State[]
  readonly transitions: Readonly<Record<Name, LifecycleTransition<State>>>
}

/** A lifecycle with literal types of its states and transitions. */
export const defineLifecycle = <State extends string, Name extends string>(
  states: readonly State[],
  terminal: readonly NoInfer<State>[],
  transitions: Readonly<Record<Name, LifecycleTransition<NoInfer<State>>>>,
): Lifecycle<State, Name> => ({ states, terminal, transitions })

export const defineTransition = <State extends string>(
  from: readonly State[] | null,
  to: State,
  emits: EventType | null = null,
): LifecycleTransition<State> => ({ from, to, emits })

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
    create: defineTransition(null, 'CREATED', 'order.created'),
    hand_over: defineTransition(['CREATED'], 'BEING_PLACED'),
    accept: defineTransition(['BEING_PLACED'], 'PLACED', 'order.placed'),
    refuse: defineTransition(['BEING_PLACED'], 'PLACEMENT_FAILED'),
    retry: defineTransition(['PLACEMENT_FAILED'], 'BEING_PLACED'),
    give_up: defineTransition(['PLACEMENT_FAILED'], 'FAILED_PERMANENTLY', 'order.failed'),
    begin_delivery: defineTransition(['PLACED'], 'BEING_FULFILLED', 'order.being_fulfilled'),
    finish: defineTransition(['PLACED', 'BEING_FULFILLED'], 'FULFILLED', 'order.fulfilled'),
    fail: defineTransition(['PLACED', 'BEING_FULFILLED'], 'FAILED_PERMANENTLY', 'order.failed'),
    /** The hold that pays for the order cannot be renewed, and nothing was delivered. */
    stop: defineTransition(
      ['CREATED', 'BEING_PLACED', 'PLACEMENT_FAILED', 'PLACED', 'BEING_FULFILLED'],
      'FAILED_PERMANENTLY',
      'order.failed',
    ),
    cancel: defineTransition(['CREATED', 'PLACEMENT_FAILED'], 'CANCELED', 'order.cancelled'),
    /** A tasking order without an accepted price: not feasible, or not decided in time. */
    end_unpriced: defineTransition(['CREATED'], 'FAILED_PERMANENTLY', 'order.failed'),
    /** While the cancellation policy of the product allows it; its fee is charged. */
    cancel_placed: defineTransition(['PLACED'], 'CANCELED', 'order.cancelled'),
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
    accept_price: defineTransition(null, 'QUOTATION_ACCEPTED'),
    request_quotation: defineTransition(null, 'QUOTATION_WAITING_UPLOAD'),
    request_study: defineTransition(null, 'FEASIBILITY_WAITING_UPLOAD', 'feasibility.requested'),
    answer_study: defineTransition(
      ['FEASIBILITY_WAITING_UPLOAD'],
      'FEASIBILITY_WAITING_RESPONSE',
      'feasibility.answered',
    ),
    choose_option: defineTransition(['FEASIBILITY_WAITING_RESPONSE'], 'QUOTATION_WAITING_UPLOAD'),
    choose_priced_option: defineTransition(
      ['FEASIBILITY_WAITING_RESPONSE'],
      'QUOTATION_ACCEPTED',
      'quotation.accepted',
    ),
    offer_quotation: defineTransition(
      ['QUOTATION_WAITING_UPLOAD'],
      'QUOTATION_WAITING_RESPONSE',
      'quotation.requested',
    ),
    accept_quotation: defineTransition(['QUOTATION_WAITING_RESPONSE'], 'QUOTATION_ACCEPTED', 'quotation.accepted'),
    reject_quotation: defineTransition(['QUOTATION_WAITING_RESPONSE'], 'QUOTATION_REJECTED', 'quotation.rejected'),
    reject_feasibility: defineTransition(['FEASIBILITY_WAITING_UPLOAD'], 'NOT_FEASIBLE'),
    /** A newer quotation replaces one that was not decided. */
    supersede_quotation: defineTransition(
      ['QUOTATION_WAITING_RESPONSE'],
      'QUOTATION_WAITING_RESPONSE',
      'quotation.requested',
    ),
    expire: defineTransition(['FEASIBILITY_WAITING_RESPONSE', 'QUOTATION_WAITING_RESPONSE'], 'EXPIRED'),
    /** The customer cancels the order before a price was accepted. */
    withdraw: defineTransition(
      ['FEASIBILITY_WAITING_UPLOAD', 'FEASIBILITY_WAITING_RESPONSE', 'QUOTATION_WAITING_UPLOAD'],
      'WITHDRAWN',
    ),
    schedule: defineTransition(['QUOTATION_ACCEPTED'], 'SCHEDULED', 'tasking.progressed'),
    task: defineTransition(['SCHEDULED'], 'TASKED', 'tasking.progressed'),
    collect: defineTransition(['TASKED'], 'COLLECTED', 'tasking.progressed'),
    /** The collection does not satisfy the constraints, and the host plans the next pass. */
    replan: defineTransition(['COLLECTED', 'DOWNLINKED', 'PROCESSING'], 'SCHEDULED', 'tasking.replanned'),
    downlink: defineTransition(['COLLECTED'], 'DOWNLINKED', 'tasking.progressed'),
    process: defineTransition(['DOWNLINKED'], 'PROCESSING', 'tasking.progressed'),
    deliver: defineTransition(['PROCESSING'], 'DELIVERING', 'tasking.progressed'),
  },
)

/** The `decision` of a feasibility study. */
export const feasibilityStudyLifecycle = defineLifecycle(
  ['NOT_DECIDED', 'ACCEPTED', 'EXPIRED', 'WITHDRAWN'],
  ['ACCEPTED', 'EXPIRED', 'WITHDRAWN'],
  {
    upload: defineTransition(null, 'NOT_DECIDED'),
    accept: defineTransition(['NOT_DECIDED'], 'ACCEPTED'),
    expire: defineTransition(['NOT_DECIDED'], 'EXPIRED'),
    withdraw: defineTransition(['NOT_DECIDED'], 'WITHDRAWN'),
  },
)

/** The `decision` of a quotation. */
export const quotationLifecycle = defineLifecycle(
  ['NOT_DECIDED', 'ACCEPTED', 'REJECTED', 'EXPIRED', 'SUPERSEDED'],
  ['ACCEPTED', 'REJECTED', 'EXPIRED', 'SUPERSEDED'],
  {
    upload: defineTransition(null, 'NOT_DECIDED'),
    accept: defineTransition(['NOT_DECIDED'], 'ACCEPTED'),
    reject: defineTransition(['NOT_DECIDED'], 'REJECTED'),
    expire: defineTransition(['NOT_DECIDED'], 'EXPIRED'),
    supersede: defineTransition(['NOT_DECIDED'], 'SUPERSEDED'),
  },
)

/** The execution of a processing job. A clip may go from `pending` to `running` directly. */
export const jobLifecycle = defineLifecycle(
  ['pending', 'dispatched', 'running', 'completed', 'failed', 'cancelled'],
  ['completed', 'failed', 'cancelled'],
  {
    create: defineTransition(null, 'pending', 'job.created'),
    dispatch: defineTransition(['pending'], 'dispatched'),
    start: defineTransition(['pending', 'dispatched'], 'running', 'job.started'),
    /** The lease of a worker expired; another worker may take the job, under the same hold. */
    dispatch_again: defineTransition(['running'], 'dispatched'),
    complete: defineTransition(['dispatched', 'running'], 'completed', 'job.completed'),
    fail: defineTransition(['pending', 'dispatched', 'running'], 'failed', 'job.failed'),
    cancel: defineTransition(['pending', 'dispatched', 'running'], 'cancelled'),
  },
)

/** The payment of a processing job; it is settled when the execution ends. */
export const jobPaymentLifecycle = defineLifecycle(['reserved', 'captured', 'released'], ['captured', 'released'], {
  reserve: defineTransition(null, 'reserved'),
  capture: defineTransition(['reserved'], 'captured', 'job.captured'),
  release: defineTransition(['reserved'], 'released', 'job.released'),
})

export const uploadLifecycle = defineLifecycle(
  ['initiated', 'uploading', 'uploaded', 'ingesting', 'completed', 'failed', 'cancelled', 'expired'],
  ['completed', 'failed', 'cancelled', 'expired'],
  {
    initiate: defineTransition(null, 'initiated'),
    send: defineTransition(['initiated'], 'uploading'),
    receive: defineTransition(['initiated', 'uploading'], 'uploaded'),
    ingest: defineTransition(['initiated', 'uploading', 'uploaded'], 'ingesting'),
    complete: defineTransition(['ingesting'], 'completed', 'upload.completed'),
    fail: defineTransition(['initiated', 'uploading', 'uploaded', 'ingesting'], 'failed'),
    cancel: defineTransition(['initiated', 'uploading', 'uploaded'], 'cancelled'),
    expire: defineTransition(['initiated', 'uploading', 'uploaded'], 'expired'),
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
export type JobSettlement = (typeof jobPaymentLifecycle.states)[number]
export type UploadStatus = (typeof uploadLifecycle.states)[number]
export type UploadTransitionName = keyof typeof uploadLifecycle.transitions
