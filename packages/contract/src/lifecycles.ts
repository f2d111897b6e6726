import type { EventKind } from './events.ts'

/** A permitted transition from any of the states `from` to the state `to`. `from` is null for the creation. */
export interface Move<State extends string> {
  readonly from: readonly State[] | null
  readonly to: State
  /** The event that the transition emits, or null for none. */
  readonly emits: EventKind | null
}

export interface Lifecycle<State extends string, Name extends string> {
  readonly states: readonly State[]
  /** States without a transition out of them. */
  readonly terminal: readonly State[]
  readonly moves: Readonly<Record<Name, Move<State>>>
}

const lifecycle = <State extends string, Name extends string>(
  states: readonly State[],
  terminal: readonly NoInfer<State>[],
  moves: Readonly<Record<Name, Move<NoInfer<State>>>>,
): Lifecycle<State, Name> => ({ states, terminal, moves })

const move = <State extends string>(
  from: readonly State[] | null,
  to: State,
  emits: EventKind | null = null,
): Move<State> => ({ from, to, emits })

/** An order, archive or tasking. Tasking waits in CREATED until a price is accepted (`taskingLifecycle`). */
export const orderLifecycle = lifecycle(
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
    create: move(null, 'CREATED', 'order.created'),
    hand_over: move(['CREATED'], 'BEING_PLACED'),
    accept: move(['BEING_PLACED'], 'PLACED', 'order.placed'),
    refuse: move(['BEING_PLACED'], 'PLACEMENT_FAILED'),
    retry: move(['PLACEMENT_FAILED'], 'BEING_PLACED'),
    give_up: move(['PLACEMENT_FAILED'], 'FAILED_PERMANENTLY', 'order.failed'),
    begin_delivery: move(['PLACED'], 'BEING_FULFILLED', 'order.being_fulfilled'),
    finish: move(['PLACED', 'BEING_FULFILLED'], 'FULFILLED', 'order.fulfilled'),
    fail: move(['PLACED', 'BEING_FULFILLED'], 'FAILED_PERMANENTLY', 'order.failed'),
    /** The hold that pays for the order cannot be renewed, and nothing was delivered. */
    stop: move(
      ['CREATED', 'BEING_PLACED', 'PLACEMENT_FAILED', 'PLACED', 'BEING_FULFILLED'],
      'FAILED_PERMANENTLY',
      'order.failed',
    ),
    cancel: move(['CREATED', 'PLACEMENT_FAILED'], 'CANCELED', 'order.cancelled'),
    /** Tasking only, while the cancellation policy of the product allows it. */
    cancel_placed: move(['PLACED'], 'CANCELED', 'order.cancelled'),
  },
)

/** The `subStatus` of a tasking order, before a price is accepted and during acquisition. */
export const taskingLifecycle = lifecycle(
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
  ],
  ['QUOTATION_REJECTED', 'DELIVERING'],
  {
    request_study: move(null, 'FEASIBILITY_WAITING_UPLOAD', 'feasibility.requested'),
    answer_study: move(['FEASIBILITY_WAITING_UPLOAD'], 'FEASIBILITY_WAITING_RESPONSE', 'feasibility.answered'),
    choose_option: move(['FEASIBILITY_WAITING_RESPONSE'], 'QUOTATION_WAITING_UPLOAD'),
    choose_priced_option: move(['FEASIBILITY_WAITING_RESPONSE'], 'QUOTATION_ACCEPTED', 'quotation.accepted'),
    offer_quotation: move(['QUOTATION_WAITING_UPLOAD'], 'QUOTATION_WAITING_RESPONSE', 'quotation.requested'),
    accept_quotation: move(['QUOTATION_WAITING_RESPONSE'], 'QUOTATION_ACCEPTED', 'quotation.accepted'),
    reject_quotation: move(['QUOTATION_WAITING_RESPONSE'], 'QUOTATION_REJECTED', 'quotation.rejected'),
    schedule: move(['QUOTATION_ACCEPTED'], 'SCHEDULED'),
    task: move(['SCHEDULED'], 'TASKED'),
    collect: move(['TASKED'], 'COLLECTED'),
    downlink: move(['COLLECTED'], 'DOWNLINKED'),
    process: move(['DOWNLINKED'], 'PROCESSING'),
    deliver: move(['PROCESSING'], 'DELIVERING'),
  },
)

/** The execution of a processing job. A clip may go from `pending` to `running` directly. */
export const jobLifecycle = lifecycle(
  ['pending', 'dispatched', 'running', 'completed', 'failed', 'cancelled'],
  ['completed', 'failed', 'cancelled'],
  {
    create: move(null, 'pending', 'job.created'),
    dispatch: move(['pending'], 'dispatched'),
    start: move(['pending', 'dispatched'], 'running', 'job.started'),
    /** The lease of a worker expired; another worker may take the job, under the same hold. */
    dispatch_again: move(['running'], 'dispatched'),
    complete: move(['dispatched', 'running'], 'completed', 'job.completed'),
    fail: move(['pending', 'dispatched', 'running'], 'failed', 'job.failed'),
    cancel: move(['pending', 'dispatched', 'running'], 'cancelled'),
  },
)

/** The payment of a processing job; it is settled when the execution ends. */
export const jobSettlementLifecycle = lifecycle(['reserved', 'captured', 'released'], ['captured', 'released'], {
  reserve: move(null, 'reserved'),
  capture: move(['reserved'], 'captured', 'job.captured'),
  release: move(['reserved'], 'released', 'job.released'),
})

export const uploadLifecycle = lifecycle(
  ['initiated', 'uploading', 'uploaded', 'ingesting', 'completed', 'failed', 'cancelled', 'expired'],
  ['completed', 'failed', 'cancelled', 'expired'],
  {
    initiate: move(null, 'initiated'),
    send: move(['initiated'], 'uploading'),
    receive: move(['initiated', 'uploading'], 'uploaded'),
    ingest: move(['initiated', 'uploading', 'uploaded'], 'ingesting'),
    complete: move(['ingesting'], 'completed', 'upload.completed'),
    fail: move(['initiated', 'uploading', 'uploaded', 'ingesting'], 'failed'),
    cancel: move(['initiated', 'uploading', 'uploaded'], 'cancelled'),
    expire: move(['initiated', 'uploading', 'uploaded'], 'expired'),
  },
)

export type OrderStatus = (typeof orderLifecycle.states)[number]
export type OrderMove = keyof typeof orderLifecycle.moves
export type TaskingStatus = (typeof taskingLifecycle.states)[number]
export type TaskingMove = keyof typeof taskingLifecycle.moves
export type JobStatus = (typeof jobLifecycle.states)[number]
export type JobMove = keyof typeof jobLifecycle.moves
export type JobSettlement = (typeof jobSettlementLifecycle.states)[number]
export type UploadStatus = (typeof uploadLifecycle.states)[number]
export type UploadMove = keyof typeof uploadLifecycle.moves
