import { defineLifecycle, defineTransition } from '@swath/contract/lifecycles.ts'

/**
 * The authorisation of an amount on a card. `starting`: the request to the processor is pending, or it has confirmed
 * and the hold is not written yet; `action`: the cardholder must complete 3-D Secure; `authorised`: a hold depends on
 * it; `capturing` and `voiding`: a task does it at the processor. A declined authorisation is deleted, because a
 * declined request must leave no trace.
 */
export const cardAuthorisationLifecycle = defineLifecycle(
  ['starting', 'action', 'authorised', 'capturing', 'captured', 'voiding', 'voided'],
  ['captured', 'voided'],
  {
    create: defineTransition(null, 'starting'),
    require_action: defineTransition(['starting', 'action'], 'action'),
    /** The processor has reserved the amount. */
    confirm: defineTransition(['starting', 'action'], 'starting'),
    attach_to_hold: defineTransition(['starting', 'action'], 'authorised'),
    /** The hold was not created: the effect failed, the amount changed, or the time ran out. */
    abandon: defineTransition(['starting', 'action'], 'voiding'),
    /** A new intent replaces one that is about to expire. */
    reauthorise: defineTransition(['authorised'], 'authorised'),
    /** The hold was settled. */
    capture: defineTransition(['authorised'], 'capturing'),
    /** The hold was released or has expired. */
    release: defineTransition(['authorised'], 'voiding'),
    confirm_capture: defineTransition(['capturing'], 'captured'),
    confirm_void: defineTransition(['voiding'], 'voided'),
  },
)

export type CardAuthorisationState = (typeof cardAuthorisationLifecycle.states)[number]
export type CardAuthorisationTransitionName = keyof typeof cardAuthorisationLifecycle.transitions

/** The states in which no hold depends on the authorisation yet, so that it can be abandoned. */
export const pendingCardAuthorisationStates: readonly CardAuthorisationState[] =
  cardAuthorisationLifecycle.transitions.abandon.from ?? []
