import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { List, Page, pagePaging } from '../paging.ts'
import { buyingProblems } from '../problems.ts'
import { ArchiveDownload } from '../shapes/asset.ts'
import { Captures } from '../shapes/capture.ts'
import { FeatureCollection } from '../shapes/geojson.ts'
import {
  Coverage,
  CoverageGroup,
  DeliveryManifest,
  Order,
  OrderStatus,
  PlacedOrder,
  ProductSchema,
} from '../shapes/order.ts'
import { Estimate, ProductEstimate } from '../shapes/price.ts'
import { ClearedByNull, Default, Described, Input, Maybe, Nullable, Open, OrEmpty, Uuid } from '../shapes/primitives.ts'

const word = (description: string) => Maybe(Type.String({ maxLength: 2000, description }))

const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  maxItems: 100,
  description: 'Tags to find the order by.',
})
const DisplayName = Type.String({ maxLength: limits.name_length, description: 'Display name of the order.' })
const byDate = Nullable(Type.Boolean({ description: 'Price each acquisition date as a separate group.' }))

const product = {
  dataProduct: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'A data product by id (`glossary.data_products.list`).',
  }),
  displayName: Default(DisplayName, ''),
  params: Described('Parameters of the data product (`orders.get_schema`).', Type.Optional(Open)),
  featureCollection: Described(
    'The areas, one per feature; `{}` means none.',
    Type.Optional(OrEmpty(FeatureCollection)),
  ),
  tags: Maybe(Tags),
}

export const ordersArchiveEstimate = operation({
  id: 'orders.archive.estimate',
  scope: 'orders:read',
  effect: 'read',
  summary: 'Estimate the price of archive captures; nothing is stored.',
  input: Input({
    captures: Type.Optional(Captures),
    splitByDate: Default(byDate, false),
  }),
  output: Estimate,
  problems: ['upstream'],
  answered: true,
})

export const ordersArchivePlace = operation({
  id: 'orders.archive.place',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Order archive captures; the price is held now, and only what is delivered is charged.',
  input: Input({
    captures: Captures,
    projectId: Type.Optional(
      Nullable(Uuid, { description: 'Project of the delivery; defaults to the oldest project of the caller.' }),
    ),
    licenseType: word(
      'Licence of every priced capture; defaults to the standard licence of each product. Free scenes keep their own licence.',
    ),
    splitByDate: Default(byDate, false),
  }),
  output: PlacedOrder,
  status: 202,
  problems: [...buyingProblems, 'user-required'],
  emits: ['order.created'],
  idempotent: true,
  answered: true,
})

export const ordersGet = operation({
  id: 'orders.get',
  scope: 'orders:read',
  effect: 'read',
  summary: 'Read an order with its status history, also after its project was deleted.',
  input: Input({ order_id: Uuid }),
  output: Order,
  problems: ['not-found', 'not-a-member'],
  answered: true,
})

export const ordersList = operation({
  id: 'orders.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the orders of the organization that the caller can see.',
  input: Input({
    workspaceId: Described('Only orders of this project.', Maybe(Uuid)),
    type: word('Order type: `archive` or `tasking`.'),
    status: word('States, comma-separated; `CANCELLED` is accepted, too.'),
    subStatus: word('Substates, comma-separated.'),
    displayName: word('Part of the display name; case-insensitive.'),
    dataProductIds: word('Data product ids, comma-separated.'),
    orderIds: word('Order ids, comma-separated.'),
    tags: word('Tags, comma-separated; matches orders with any of them.'),
    ...pagePaging(),
    sort: Default(
      Type.String({
        pattern: '^(createdAt|updatedAt|displayName|status|type),(asc|desc)$',
        description: 'Field and direction.',
      }),
      'createdAt,desc',
    ),
  }),
  output: Page(Order),
  problems: ['not-found', 'not-a-member'],
  paging: 'page',
  answered: true,
})

export const ordersListAssets = operation({
  id: 'orders.list_assets',
  scope: 'items:read',
  effect: 'read',
  summary: 'List the delivered items and assets of an order.',
  input: Input({ order_id: Uuid }),
  output: DeliveryManifest,
  problems: ['not-found', 'not-a-member'],
  answered: true,
})

export const ordersDownload = operation({
  id: 'orders.download',
  scope: 'items:read',
  effect: 'export',
  summary: 'Issue a signed URL for all delivered files of an order as one ZIP; it is valid for 15 minutes.',
  input: Input({ order_id: Uuid }),
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
  answered: true,
})

export const ordersCancel = operation({
  id: 'orders.cancel',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Cancel an order, if its state permits it, and release its hold.',
  input: Input({ order_id: Uuid }),
  output: Type.Object({ orderId: Uuid, status: OrderStatus }),
  problems: ['not-found', 'not-a-member', 'invalid-state'],
  emits: ['order.cancelled'],
  idempotent: true,
  answered: true,
})

export const ordersUpdate = operation({
  id: 'orders.update',
  scope: 'orders:write',
  effect: 'compute',
  summary: 'Change the tags of an order.',
  input: Input({ order_id: Uuid, tags: ClearedByNull(Tags, 'Null removes all of them.') }),
  output: Order,
  problems: ['not-found', 'not-a-member'],
})

export const ordersEstimate = operation({
  id: 'orders.estimate',
  scope: 'items:read',
  effect: 'read',
  summary: 'Estimate the price of a data product for the areas of a feature collection; nothing is stored.',
  input: Input(product),
  output: ProductEstimate,
  problems: ['not-found', 'upstream'],
})

export const ordersPlace = operation({
  id: 'orders.place',
  scope: 'orders:write',
  effect: 'spend',
  summary: 'Order a data product; each feature of the collection becomes one order.',
  input: Input({ workspaceId: Uuid, ...product }),
  output: Type.Object({
    results: Type.Array(Type.Object({ index: Type.Integer(), id: Uuid })),
    errors: ProductEstimate.properties.errors,
    orders: Type.Array(PlacedOrder),
  }),
  problems: buyingProblems,
  emits: ['order.created'],
  idempotent: true,
})

export const ordersGetSchema = operation({
  id: 'orders.get_schema',
  scope: 'items:read',
  effect: 'read',
  summary: 'Read the parameter schema and the cancellation policy of a data product.',
  input: Input({ data_product_id: Type.String({ minLength: 1, maxLength: 500 }) }),
  output: ProductSchema,
  problems: ['not-found'],
})

export const ordersCoverageGet = operation({
  id: 'orders.coverage.get',
  scope: 'orders:read',
  effect: 'read',
  summary: 'Read the delivered and remaining area of an order.',
  input: Input({ order_id: Uuid }),
  output: Coverage,
  problems: ['not-found', 'not-a-member'],
})

export const ordersCoverageGroupsList = operation({
  id: 'orders.coverage.groups.list',
  scope: 'orders:read',
  effect: 'read',
  summary: 'List the coverage groups of an order.',
  input: Input({ order_id: Uuid }),
  output: List('groups', CoverageGroup),
  problems: ['not-found', 'not-a-member'],
})
