import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { OperatorDecisionStatus, commercialTermsVersionFields } from '../schemas/operators/operator-decisions.ts'
import {
  Nullable,
  OperatorReason,
  OptionalNullable,
  StrictObject,
  Timestamp,
  Uuid,
  WithDescription,
} from '../schemas/primitives.ts'

const Product = Type.String({ minLength: 1, maxLength: limits.max_name_length })
const Minimum = Type.Number({ minimum: 0, maximum: 1_000_000 })

/** One version of the list price of a product, which one operator requests and another one decides. */
const RateCard = Type.Object({
  ...commercialTermsVersionFields,
  product: Type.String({ description: 'Product name, as in the price of a scene.' }),
  unit: Type.Literal('km2'),
  rate_credits: Type.Number({ description: 'Credits for each unit.' }),
  rate_aud: Type.Number({ description: 'The same in AUD.' }),
  minimum_km2: Nullable(Type.Number(), { description: 'Least area that is charged; null: that of the host.' }),
})

const decisionInput = StrictObject({ rate_card_id: Uuid, reason: OperatorReason })

export const adminRateCardsListOperation = operation({
  id: 'admin.rate_cards.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the versions of the list prices of products, newest first.',
  input: StrictObject({
    product: WithDescription('Only versions of this product.', OptionalNullable(Product)),
    status: OptionalNullable(OperatorDecisionStatus),
    ...offsetPaging(),
  }),
  output: ListEnvelope('rate_cards', RateCard),
  paging: 'offset',
  extension: true,
})

export const adminRateCardsCreateOperation = operation({
  id: 'admin.rate_cards.create',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Request a new version of the list price of a product, which another operator has to approve.',
  input: StrictObject({
    product: WithDescription('Product name, as in the price of a scene.', Product),
    rate_aud: Type.String({
      pattern: '^\\d{1,7}(\\.\\d{1,4})?$',
      description: 'AUD for each square kilometre, as a decimal string with at most four decimal places.',
    }),
    minimum_km2: WithDescription('Least area that is charged; null: that of the host.', OptionalNullable(Minimum)),
    effective_from: WithDescription('From when on new prices use it; not in the past.', Timestamp),
    reason: OperatorReason,
  }),
  output: RateCard,
  problems: ['not-found'],
  extension: true,
})

export const adminRateCardsApproveOperation = operation({
  id: 'admin.rate_cards.approve',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Approve a list price that another operator has requested, before its effective date.',
  input: decisionInput,
  output: RateCard,
  problems: ['not-found', 'forbidden', 'already-decided', 'invalid-state'],
  extension: true,
})

export const adminRateCardsRejectOperation = operation({
  id: 'admin.rate_cards.reject',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Reject a list price that was requested, or take back a request of your own.',
  input: decisionInput,
  output: RateCard,
  problems: ['not-found', 'already-decided'],
  extension: true,
})
