import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope, PageEnvelope, pageNumberPaging } from '../paging.ts'
import { orderingProblems } from '../problems.ts'
import { ArchiveDownload } from '../schemas/asset.ts'
import { Captures } from '../schemas/capture.ts'
import {
  OrderAreas,
  Order,
  PlacedOrder,
  DeliveryManifest,
  OrderStatus,
  DataProductSchema,
  OrderCoverage,
  OrderCoverageGroup,
  OrderTimeline,
} from '../schemas/order.ts'
import { OrderEstimate, OrderQuote, DataProductEstimate, FeatureError } from '../schemas/price.ts'
import {
  OptionalNullable,
  Nullable,
  WithDefault,
  WithDescription,
  AnyObject,
  OrEmptyObject,
  StrictObject,
  Uuid,
  ClearIfNull,
  KeepIfNull,
} from '../schemas/primitives.ts'
import { spendFields, WithDryRun } from '../schemas/spend.ts'
import { taskingRequestFields } from '../schemas/tasking.ts'

const optionalText = (description: string) => OptionalNullable(Type.String({ maxLength: 2000, description }))

const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 100,
  description: 'Tags to find the order by.',
})

const DisplayName = Type.String({ maxLength: limits.max_name_length, description: 'Display name of the order.' })

const SplitByDate = Nullable(Type.Boolean({ description: 'Price each acquisition date as a separate group.' }))

const ExcludeOwned = WithDefault(
  Nullable(
    Type.Boolean({
      description:
        'Leave out the area that you hold already under the same licence; it is neither charged nor delivered.',
    }),
  ),
  false,
)

const pricedFields = {
  splitByDate: WithDefault(SplitByDate, false),
  exclude_owned: ExcludeOwned,
  licenseType: optionalText('The licence that will be ordered, for `exclude_owned`; defaults to that of each product.'),
}

const productFields = {
  dataProduct: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'A data product by id (`glossary.data_products.list`).',
  }),
  displayName: WithDefault(DisplayName, ''),
  params: WithDescription(
    'The scenes, `id`, and the parameters of the data product, as `orders.get_schema` describes them.',
    Type.Optional(AnyObject),
  ),
  featureCollection: WithDescription(
    'The areas of interest, one per feature; `{}` means none.',
    Type.Optional(OrEmptyObject(OrderAreas)),
  ),
  tags: OptionalNullable(Tags),
  exclude_owned: ExcludeOwned,
  budgetId: WithDescription(
    'A budget (`billing.budgets.list`): the project of the order, or the caller. Anything else is refused.',
    OptionalNullable(Uuid),
  ),
}

export const ordersArchiveEstimateOperation = operation({
  id: 'orders.archive.estimate',
  scope: 'orders:read',
  effect: 'read',
  summary: 'Estimate the price of archive captures; nothing is stored.',
  body_limit_bytes: null,
  input: StrictObject({
    captures: Type.Optional(Captures),
    ...pricedFields,
  }),
  output: OrderEstimate,
  problems: ['upstream'],
})

export const ordersQuoteOperation = operation({
  id: 'orders.quote',
  scope: 'orders:read',
  effect: 'compute',
  summary:
    'Lock the price of archive captures, or of areas to acquire, for a while, for one order that names the quote.',
  body_limit_bytes: null,
  input: StrictObject({
    captures: WithDescription('The scenes with their areas of interest; this or `groups`.', Type.Optional(Captures)),
    ...pricedFields,
    ...taskingRequestFields,
    groups: WithDescription(
      'The areas to acquire, of products that are ordered at a known price; this or `captures`.',
      taskingRequestFields.groups,
    ),
  }),
  output: OrderQuote,
  status: 201,
  problems: ['not-found', 'quota-exceeded', 'upstream'],
  extension: true,
})

export const ordersArchivePlaceOperation = operation({
  id: 'orders.archive.place',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Order archive captures; the price is held now, and only what is delivered is charged.',
  body_limit_bytes: null,
  input: StrictObject({
    captures: WithDescription(
      'The scenes with their areas of interest; required without `quote_id`.',
      Type.Optional(Captures),
    ),
    projectId: Type.Optional(
      Nullable(Uuid, { description: 'Project of the delivery; defaults to the oldest project of the caller.' }),
    ),
    quote_id: WithDescription(
      'A quote of `orders.quote`, which sets the captures, `splitByDate` and `exclude_owned`: its price is charged, or the call is refused.',
      OptionalNullable(Uuid),
    ),
    licenseType: optionalText(
      'Licence of every priced capture; defaults to the standard licence of each product. Free scenes keep their own licence.',
    ),
    splitByDate: WithDefault(SplitByDate, false),
    exclude_owned: ExcludeOwned,
    ...spendFields,
  }),
  output: WithDryRun(PlacedOrder),
  status: 202,
  problems: [...orderingProblems, 'user-required', 'conflicting-parameters', 'quote-expired', 'eula-not-accepted'],
  emits: ['order.created'],
  idempotent: true,
})

export const ordersGetOperation = operation({
  id: 'orders.get',
  scope: 'orders:read',
  effect: 'read',
  summary: 'Read an order with its status history, also after its project was deleted.',
  input: StrictObject({ order_id: Uuid }),
  output: Order,
  problems: ['not-found', 'not-a-member'],
})

export const ordersListOperation = operation({
  id: 'orders.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the orders of the organization that the caller can see.',
  input: StrictObject({
    workspaceId: WithDescription('Only orders of this project.', OptionalNullable(Uuid)),
    type: optionalText('Order type: `archive` or `tasking`.'),
    status: optionalText('States, comma-separated; `CANCELLED` is accepted, too.'),
    subStatus: optionalText('Substates, comma-separated.'),
    displayName: optionalText('Part of the display name; case-insensitive.'),
    dataProductIds: optionalText('Data product ids, comma-separated.'),
    orderIds: optionalText('Order ids, comma-separated.'),
    tags: optionalText('Tags, comma-separated; matches orders with any of them.'),
    budgetIds: optionalText('Budgets, comma-separated: ids of projects, or of members who placed orders.'),
    include_areas: WithDefault(
      Type.Boolean({ description: 'With the areas and all captures, as in `orders.get`.' }),
      false,
    ),
    ...pageNumberPaging(),
    sort: WithDefault(
      Type.String({
        pattern: '^(createdAt|updatedAt|displayName|status|type),(asc|desc)$',
        description: 'Field and direction.',
      }),
      'createdAt,desc',
    ),
  }),
  output: PageEnvelope(Order),
  problems: ['not-found', 'not-a-member'],
  paging: 'page',
})

export const ordersListAssetsOperation = operation({
  id: 'orders.list_assets',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the delivered items and assets of an order.',
  input: StrictObject({ order_id: Uuid }),
  output: DeliveryManifest,
  problems: ['not-found', 'not-a-member'],
})

export const ordersDownloadOperation = operation({
  id: 'orders.download',
  scope: 'items:read',
  effect: 'export',
  summary: 'Issue a signed URL for all delivered files of an order as one ZIP; it is valid for 15 minutes.',
  input: StrictObject({ order_id: Uuid }),
  output: ArchiveDownload,
  problems: [
    'not-found',
    'not-a-member',
    'past-due',
    'invalid-state',
    'budget-exceeded',
    'download-cap',
    'bandwidth-breaker',
  ],
  extension: true,
})

export const ordersCancelOperation = operation({
  id: 'orders.cancel',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Cancel an order, if its state permits it, and release its hold; `cancellation` of the order tells the fee.',
  input: StrictObject({ order_id: Uuid, ...spendFields }),
  output: WithDryRun(Type.Object({ orderId: Uuid, status: OrderStatus })),
  problems: ['not-found', 'not-a-member', 'invalid-state', 'spend-limit-exceeded', 'upstream'],
  emits: ['order.cancelled', 'quotation.rejected'],
  idempotent: true,
})

export const ordersUpdateOperation = operation({
  id: 'orders.update',
  scope: 'orders:write',
  effect: 'compute',
  summary: 'Change the name and the tags of an order.',
  input: StrictObject({
    order_id: Uuid,
    displayName: KeepIfNull(OptionalNullable(Type.String({ minLength: 1, maxLength: limits.max_name_length }))),
    tags: ClearIfNull(Tags, 'Null removes all of them.'),
    budgetId: KeepIfNull(
      WithDescription('The budget that the order belongs to: it cannot be moved to another one.', Uuid),
    ),
  }),
  output: Order,
  problems: ['not-found', 'not-a-member', 'invalid-state'],
})

export const ordersEstimateOperation = operation({
  id: 'orders.estimate',
  scope: 'items:read',
  effect: 'read',
  summary: 'Estimate the price of a data product for each area of a feature collection; nothing is stored.',
  body_limit_bytes: null,
  input: StrictObject(productFields),
  output: DataProductEstimate,
  problems: ['not-found', 'not-a-member', 'upstream'],
})

export const ordersPlaceOperation = operation({
  id: 'orders.place',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Order a data product: one order for each feature, all of them or none.',
  body_limit_bytes: null,
  input: StrictObject({
    workspaceId: WithDescription(
      'The project of the delivery; the id of the calling user stands for the oldest project of the caller.',
      Uuid,
    ),
    ...productFields,
    quote_id: WithDescription(
      'A quote of `orders.quote` with scenes of the data product, which sets `params`, `featureCollection` and `exclude_owned`: one order at its price.',
      OptionalNullable(Uuid),
    ),
    partial: WithDefault(
      Type.Boolean({
        description: 'Order the features that can be ordered although others cannot; those are listed in `errors`.',
      }),
      false,
    ),
    ...spendFields,
  }),
  output: WithDryRun(
    Type.Object({
      results: Type.Array(StrictObject({ index: Type.Integer(), id: Uuid }), {
        description: 'The order of each feature; `index` is the position of the feature.',
      }),
      errors: Type.Array(FeatureError, { description: 'The features that were not ordered; only with `partial`.' }),
      orders: Type.Array(PlacedOrder),
    }),
  ),
  problems: [...orderingProblems, 'user-required', 'conflicting-parameters', 'quote-expired', 'eula-not-accepted'],
  emits: ['order.created', 'feasibility.requested'],
  idempotent: true,
})

export const ordersGetSchemaOperation = operation({
  id: 'orders.get_schema',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the parameter schema and the cancellation policy of a data product.',
  input: StrictObject({ data_product_id: Type.String({ minLength: 1, maxLength: 500 }) }),
  output: DataProductSchema,
  problems: ['not-found'],
})

export const ordersCoverageGetOperation = operation({
  id: 'orders.coverage.get',
  scope: 'orders:read',
  effect: 'read',
  summary: 'Read the delivered and remaining area of an order.',
  input: StrictObject({ order_id: Uuid }),
  output: OrderCoverage,
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
})

export const ordersCoverageGroupsListOperation = operation({
  id: 'orders.coverage.groups.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the delivered and remaining area of an order, by host, collection and date of acquisition.',
  input: StrictObject({ order_id: Uuid }),
  output: ListEnvelope('groups', OrderCoverageGroup),
  problems: ['not-found', 'not-a-member', 'budget-exceeded'],
})

export const ordersTimelineOperation = operation({
  id: 'orders.timeline',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List what has happened to an order, oldest first, and who has to act next.',
  input: StrictObject({ order_id: Uuid }),
  output: OrderTimeline,
  problems: ['not-found', 'not-a-member'],
  extension: true,
})

export const ordersReorderOperation = operation({
  id: 'orders.reorder',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Order the captures of an earlier order once more, at the prices of now.',
  input: StrictObject({
    order_id: Uuid,
    projectId: Type.Optional(
      Nullable(Uuid, { description: 'Project of the delivery; defaults to that of the earlier order.' }),
    ),
    ...spendFields,
  }),
  output: WithDryRun(PlacedOrder),
  status: 202,
  problems: [...orderingProblems, 'user-required', 'eula-not-accepted'],
  emits: ['order.created'],
  extension: true,
  idempotent: true,
})
