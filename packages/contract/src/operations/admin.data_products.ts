import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { OperatorDecisionStatus, commercialTermsVersionFields } from '../schemas/operators/operator-decisions.ts'
import {
  ClearIfNull,
  KeepIfNull,
  Nullable,
  OperatorReason,
  OptionalNullable,
  StrictObject,
  Timestamp,
  Uuid,
  WithDescription,
} from '../schemas/primitives.ts'

const max_licences = 20
const max_params = 20

const ProductName = Type.String({
  minLength: 1,
  maxLength: limits.max_name_length,
  description: 'The `name` of a data product of the glossary.',
})
const Minimum = Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Least area that is charged.' })
const Licences = Type.Array(Type.String({ minLength: 1, maxLength: limits.max_name_length }), {
  minItems: 1,
  maxItems: max_licences,
  uniqueItems: true,
  description: 'The standard one is first.',
})

/** Narrows one parameter of orders of a product. */
const ParamRestriction = StrictObject({
  minimum: Type.Optional(Type.Number()),
  maximum: Type.Optional(Type.Number()),
  enum: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 100 })),
  required: Type.Optional(Type.Boolean()),
})
const Params = Type.Record(Type.String({ minLength: 1, maxLength: 100 }), ParamRestriction, {
  maxProperties: max_params,
  description: 'What narrows the parameters of `orders.get_schema`, by their names.',
})

const termFields = {
  is_available: Type.Boolean({ description: 'False: it is not offered, and cannot be ordered.' }),
  minimum_km2: Nullable(Minimum, { description: 'Least area that is charged; null if the product is free.' }),
  licences: Licences,
  eula_id: Nullable(Uuid, { description: 'The licence agreement to accept before an order; null: none.' }),
  params: Params,
}

const DataProductTerms = Type.Object(termFields)

const AdminDataProduct = Type.Object({
  id: Uuid,
  name: Type.String(),
  title: Type.String(),
  host_name: Type.String(),
  collection: Type.String(),
  price_product: Nullable(Type.String(), {
    description:
      'The product name in the price of its scenes, as `admin.rate_cards.create` takes it; null if it is free.',
  }),
  version: Nullable(Type.Integer(), { description: 'The version in force; null: the terms are those of the host.' }),
  terms: WithDescription('What holds now.', DataProductTerms),
  declared: WithDescription('What its host declares.', DataProductTerms),
  next_effective_from: Nullable(Timestamp, { description: 'When the next approved version takes effect.' }),
})

const hostTerms = 'Null: that of the host.'
const changeFields = {
  is_available: KeepIfNull(Type.Optional(Nullable(Type.Boolean()))),
  minimum_km2: ClearIfNull(Type.Optional(Nullable(Minimum)), hostTerms),
  licences: ClearIfNull(Type.Optional(Nullable(Licences)), hostTerms),
  eula_id: ClearIfNull(Type.Optional(Nullable(Uuid)), hostTerms),
  params: ClearIfNull(Type.Optional(Nullable(Params)), 'Null: those of the platform.'),
}

/** One version of the terms of a data product: its changes to the version that is in force before it. */
const ProductVersion = Type.Object({
  ...commercialTermsVersionFields,
  data_product_name: ProductName,
  changes: WithDescription('What this version states; everything else stays.', Type.Object(changeFields)),
  needs_approval: Type.Boolean({ description: 'True if another operator has to approve it.' }),
})

const decisionInput = StrictObject({ version_id: Uuid, reason: OperatorReason })

export const adminDataProductsListOperation = operation({
  id: 'admin.data_products.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the data products with the terms in force and those that their hosts declare.',
  input: StrictObject(offsetPaging()),
  output: ListEnvelope('data_products', AdminDataProduct),
  paging: 'offset',
  extension: true,
})

export const adminDataProductsVersionsListOperation = operation({
  id: 'admin.data_products.versions.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the versions of the terms of data products, newest first.',
  input: StrictObject({
    data_product_name: WithDescription('Only versions of this product.', OptionalNullable(ProductName)),
    status: OptionalNullable(OperatorDecisionStatus),
    ...offsetPaging(),
  }),
  output: ListEnvelope('versions', ProductVersion),
  paging: 'offset',
  extension: true,
})

export const adminDataProductsVersionsCreateOperation = operation({
  id: 'admin.data_products.versions.create',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary:
    'Add a version of the terms of a data product; another operator has to approve one that changes its price or licence.',
  input: StrictObject({
    data_product_name: ProductName,
    ...changeFields,
    effective_from: WithDescription('From when on orders are placed by it; not in the past.', Timestamp),
    reason: OperatorReason,
  }),
  output: ProductVersion,
  problems: ['not-found'],
  extension: true,
})

export const adminDataProductsVersionsApproveOperation = operation({
  id: 'admin.data_products.versions.approve',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Approve a version of a data product that another operator has requested, before its effective date.',
  input: decisionInput,
  output: ProductVersion,
  problems: ['not-found', 'forbidden', 'already-decided', 'invalid-state'],
  extension: true,
})

export const adminDataProductsVersionsRejectOperation = operation({
  id: 'admin.data_products.versions.reject',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Reject a version of a data product that was requested, or take back a request of your own.',
  input: decisionInput,
  output: ProductVersion,
  problems: ['not-found', 'already-decided'],
  extension: true,
})
