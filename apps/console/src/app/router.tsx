import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router'
import { Frame } from './frame.tsx'
import { loadFiles } from './load-files.ts'
import { NotFound } from './not-found.tsx'
import { PanelFailure } from './panel-failure.tsx'
import { PanelPending } from './panel-pending.tsx'

/** Parameters of every URL: `v` is the view of the map. */
interface FrameSearch {
  readonly v?: string
}

const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  validateSearch: ({ v }: Record<string, unknown>): FrameSearch => (typeof v === 'string' ? { v } : {}),
})

/** A screen in the panel. */
const createScreenRoute = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/explore', search: (previous) => previous })
  },
})

const explore = createScreenRoute(
  '/explore',
  lazyRouteComponent(() => loadFiles(import('../features/explore/explore.tsx')), 'Explore'),
)

const cart = createScreenRoute(
  '/cart',
  lazyRouteComponent(() => loadFiles(import('../features/cart/cart.tsx')), 'Cart'),
)

const tasking = createScreenRoute(
  '/tasking',
  lazyRouteComponent(() => loadFiles(import('../features/tasking/tasking.tsx')), 'Tasking'),
)

const orders = createScreenRoute(
  '/orders',
  lazyRouteComponent(() => loadFiles(import('../features/orders/orders.tsx')), 'Orders'),
)

const orderTable = createScreenRoute(
  '/orders/table',
  lazyRouteComponent(() => loadFiles(import('../features/orders/order-table.tsx')), 'OrderTable'),
)

const order = createScreenRoute(
  '/orders/$orderId',
  lazyRouteComponent(() => loadFiles(import('../features/orders/order.tsx')), 'OrderDetail'),
)

const library = createScreenRoute(
  '/library',
  lazyRouteComponent(() => loadFiles(import('../features/library/library.tsx')), 'Library'),
)

const item = createScreenRoute(
  '/library/items/$itemId',
  lazyRouteComponent(() => loadFiles(import('../features/library/item/item.tsx')), 'ItemDetail'),
)

const uploads = createScreenRoute(
  '/library/uploads',
  lazyRouteComponent(() => loadFiles(import('../features/library/uploads/uploads.tsx')), 'Uploads'),
)

const deletedItems = createScreenRoute(
  '/library/deleted',
  lazyRouteComponent(() => loadFiles(import('../features/library/deleted-items.tsx')), 'DeletedItems'),
)

const projectSettings = createScreenRoute(
  '/library/projects/$projectId',
  lazyRouteComponent(() => loadFiles(import('../features/library/projects/project.tsx')), 'ProjectSettings'),
)

const collectionSettings = createScreenRoute(
  '/library/projects/$projectId/collections/$collectionId',
  lazyRouteComponent(() => loadFiles(import('../features/library/projects/collection.tsx')), 'CollectionSettings'),
)

const viewer = createScreenRoute(
  '/view',
  lazyRouteComponent(() => loadFiles(import('../features/viewer/viewer.tsx')), 'Viewer'),
)

const analyse = createScreenRoute(
  '/analyse',
  lazyRouteComponent(() => loadFiles(import('../features/analyse/processes.tsx')), 'Processes'),
)

const runProcess = createScreenRoute(
  '/analyse/run/$processId',
  lazyRouteComponent(() => loadFiles(import('../features/analyse/run/process.tsx')), 'RunProcess'),
)

const runMethod = createScreenRoute(
  '/analyse/measure/$methodName',
  lazyRouteComponent(() => loadFiles(import('../features/analyse/measure/method.tsx')), 'RunMethod'),
)

const jobs = createScreenRoute(
  '/analyse/jobs',
  lazyRouteComponent(() => loadFiles(import('../features/analyse/jobs/jobs.tsx')), 'Jobs'),
)

const job = createScreenRoute(
  '/analyse/jobs/$jobId',
  lazyRouteComponent(() => loadFiles(import('../features/analyse/jobs/job.tsx')), 'JobDetail'),
)

const alerts = createScreenRoute(
  '/watch',
  lazyRouteComponent(() => loadFiles(import('../features/watch/alerts/alerts.tsx')), 'Alerts'),
)

const alertRules = createScreenRoute(
  '/watch/rules',
  lazyRouteComponent(() => loadFiles(import('../features/watch/rules/rules.tsx')), 'Rules'),
)

const newAlertRule = createScreenRoute(
  '/watch/rules/new',
  lazyRouteComponent(() => loadFiles(import('../features/watch/rules/new-rule.tsx')), 'NewRule'),
)

const alertRule = createScreenRoute(
  '/watch/rules/$ruleId',
  lazyRouteComponent(() => loadFiles(import('../features/watch/rules/rule.tsx')), 'RuleDetail'),
)

const savedSearches = createScreenRoute(
  '/watch/searches',
  lazyRouteComponent(() => loadFiles(import('../features/watch/searches/searches.tsx')), 'SavedSearches'),
)

const inbox = createScreenRoute(
  '/inbox',
  lazyRouteComponent(() => loadFiles(import('../features/inbox/inbox.tsx')), 'Inbox'),
)

const notifications = createScreenRoute(
  '/inbox/notifications',
  lazyRouteComponent(() => loadFiles(import('../features/inbox/notifications/notifications.tsx')), 'Notifications'),
)

const notificationPreferences = createScreenRoute(
  '/inbox/preferences',
  lazyRouteComponent(() => loadFiles(import('../features/inbox/notifications/preferences.tsx')), 'Preferences'),
)

const money = createScreenRoute(
  '/money',
  lazyRouteComponent(() => loadFiles(import('../features/money/money.tsx')), 'Money'),
)

const keys = createScreenRoute(
  '/build',
  lazyRouteComponent(() => loadFiles(import('../features/build/keys.tsx')), 'Keys'),
)

const journal = createScreenRoute(
  '/money/journal',
  lazyRouteComponent(() => loadFiles(import('../features/money/journal.tsx')), 'Journal'),
)

const cards = createScreenRoute(
  '/money/cards',
  lazyRouteComponent(() => loadFiles(import('../features/money/cards.tsx')), 'Cards'),
)

const members = createScreenRoute(
  '/money/members',
  lazyRouteComponent(() => loadFiles(import('../features/money/members.tsx')), 'Members'),
)

const invoices = createScreenRoute(
  '/money/invoices',
  lazyRouteComponent(() => loadFiles(import('../features/money/invoices.tsx')), 'Invoices'),
)

const approvals = createScreenRoute(
  '/money/approvals',
  lazyRouteComponent(() => loadFiles(import('../features/money/approvals.tsx')), 'Approvals'),
)

const commitments = createScreenRoute(
  '/money/commitments',
  lazyRouteComponent(() => loadFiles(import('../features/money/commitments.tsx')), 'Commitments'),
)

const usage = createScreenRoute(
  '/money/usage',
  lazyRouteComponent(() => loadFiles(import('../features/money/usage/usage.tsx')), 'Usage'),
)

const reports = createScreenRoute(
  '/money/reports',
  lazyRouteComponent(() => loadFiles(import('../features/money/reports/reports.tsx')), 'Reports'),
)

const audit = createScreenRoute(
  '/build/audit',
  lazyRouteComponent(() => loadFiles(import('../features/build/audit/audit.tsx')), 'Audit'),
)

const organizations = createScreenRoute(
  '/admin',
  lazyRouteComponent(() => loadFiles(import('../features/admin/organizations.tsx')), 'Organizations'),
)

const people = createScreenRoute(
  '/admin/people',
  lazyRouteComponent(() => loadFiles(import('../features/admin/people.tsx')), 'People'),
)

const adjustments = createScreenRoute(
  '/admin/adjustments',
  lazyRouteComponent(() => loadFiles(import('../features/admin/adjustments.tsx')), 'Adjustments'),
)

const failedTasks = createScreenRoute(
  '/admin/tasks',
  lazyRouteComponent(() => loadFiles(import('../features/admin/failed-tasks.tsx')), 'FailedTasks'),
)

const stuckWork = createScreenRoute(
  '/admin/stuck',
  lazyRouteComponent(() => loadFiles(import('../features/admin/stuck-work.tsx')), 'StuckWork'),
)

const rateCards = createScreenRoute(
  '/admin/prices',
  lazyRouteComponent(() => loadFiles(import('../features/admin/rate-cards.tsx')), 'RateCards'),
)

const dataProducts = createScreenRoute(
  '/admin/products',
  lazyRouteComponent(() => loadFiles(import('../features/admin/data-products.tsx')), 'DataProducts'),
)

const featureFlags = createScreenRoute(
  '/admin/features',
  lazyRouteComponent(() => loadFiles(import('../features/admin/feature-flags.tsx')), 'FeatureFlags'),
)

const tileTokens = createScreenRoute(
  '/build/tiles',
  lazyRouteComponent(() => loadFiles(import('../features/build/tile-tokens.tsx')), 'TileTokens'),
)

const apiExplorer = createScreenRoute(
  '/build/api',
  lazyRouteComponent(() => loadFiles(import('../features/build/api-explorer.tsx')), 'ApiExplorer'),
)

const webhooks = createScreenRoute(
  '/build/webhooks',
  lazyRouteComponent(() => loadFiles(import('../features/build/webhooks/webhooks.tsx')), 'Webhooks'),
)

const webhook = createScreenRoute(
  '/build/webhooks/$subscriptionId',
  lazyRouteComponent(() => loadFiles(import('../features/build/webhooks/webhook.tsx')), 'WebhookDetail'),
)

const events = createScreenRoute(
  '/build/events',
  lazyRouteComponent(() => loadFiles(import('../features/build/events.tsx')), 'Events'),
)

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    explore,
    cart,
    tasking,
    orders,
    orderTable,
    order,
    library,
    item,
    uploads,
    deletedItems,
    projectSettings,
    collectionSettings,
    viewer,
    analyse,
    runProcess,
    runMethod,
    jobs,
    job,
    alerts,
    alertRules,
    newAlertRule,
    alertRule,
    savedSearches,
    inbox,
    notifications,
    notificationPreferences,
    money,
    keys,
    journal,
    cards,
    members,
    approvals,
    commitments,
    invoices,
    tileTokens,
    apiExplorer,
    webhooks,
    webhook,
    events,
    usage,
    reports,
    audit,
    organizations,
    people,
    adjustments,
    failedTasks,
    stuckWork,
    rateCards,
    dataProducts,
    featureFlags,
  ]),
  defaultPreload: 'intent',
  // The map and the rail are of the root, which stays.
  defaultErrorComponent: PanelFailure,
  defaultPendingComponent: PanelPending,
  defaultPendingMs: 200,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
