import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Frame } from './frame.tsx'
import { loadFiles } from './load-files.ts'
import { NotFound } from './not-found.tsx'
import { PanelFailure } from './panel-failure.tsx'
import { PanelPending } from './panel-pending.tsx'

/** Parameters of every address: `v` is the view of the map. */
interface FrameSearch {
  readonly v?: string
}

const root = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  validateSearch: ({ v }: Record<string, unknown>): FrameSearch => (typeof v === 'string' ? { v } : {}),
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/explore', search: (previous) => previous })
  },
})

const explore = createRoute({
  getParentRoute: () => root,
  path: '/explore',
  component: lazyRouteComponent(() => loadFiles(import('../features/explore/explore.tsx')), 'Explore'),
})

const cart = createRoute({
  getParentRoute: () => root,
  path: '/cart',
  component: lazyRouteComponent(() => loadFiles(import('../features/cart/cart.tsx')), 'Cart'),
})

const tasking = createRoute({
  getParentRoute: () => root,
  path: '/tasking',
  component: lazyRouteComponent(() => loadFiles(import('../features/tasking/tasking.tsx')), 'Tasking'),
})

const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  component: lazyRouteComponent(() => loadFiles(import('../features/orders/orders.tsx')), 'Orders'),
})

const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$orderId',
  component: lazyRouteComponent(() => loadFiles(import('../features/orders/order.tsx')), 'OrderDetail'),
})

const library = createRoute({
  getParentRoute: () => root,
  path: '/library',
  component: lazyRouteComponent(() => loadFiles(import('../features/library/library.tsx')), 'Library'),
})

const item = createRoute({
  getParentRoute: () => root,
  path: '/library/items/$itemId',
  component: lazyRouteComponent(() => loadFiles(import('../features/library/item/item.tsx')), 'ItemDetail'),
})

const uploads = createRoute({
  getParentRoute: () => root,
  path: '/library/uploads',
  component: lazyRouteComponent(() => loadFiles(import('../features/library/uploads/uploads.tsx')), 'Uploads'),
})

const deletedItems = createRoute({
  getParentRoute: () => root,
  path: '/library/deleted',
  component: lazyRouteComponent(() => loadFiles(import('../features/library/deleted-items.tsx')), 'DeletedItems'),
})

const projectSettings = createRoute({
  getParentRoute: () => root,
  path: '/library/projects/$projectId',
  component: lazyRouteComponent(() => loadFiles(import('../features/library/projects/project.tsx')), 'ProjectSettings'),
})

const collectionSettings = createRoute({
  getParentRoute: () => root,
  path: '/library/projects/$projectId/collections/$collectionId',
  component: lazyRouteComponent(
    () => loadFiles(import('../features/library/projects/collection.tsx')),
    'CollectionSettings',
  ),
})

const viewer = createRoute({
  getParentRoute: () => root,
  path: '/view',
  component: lazyRouteComponent(() => loadFiles(import('../features/viewer/viewer.tsx')), 'Viewer'),
})

const analyse = createRoute({
  getParentRoute: () => root,
  path: '/analyse',
  component: lazyRouteComponent(() => loadFiles(import('../features/analyse/processes.tsx')), 'Processes'),
})

const runProcess = createRoute({
  getParentRoute: () => root,
  path: '/analyse/run/$processId',
  component: lazyRouteComponent(() => loadFiles(import('../features/analyse/run/process.tsx')), 'RunProcess'),
})

const runMethod = createRoute({
  getParentRoute: () => root,
  path: '/analyse/measure/$methodName',
  component: lazyRouteComponent(() => loadFiles(import('../features/analyse/measure/method.tsx')), 'RunMethod'),
})

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/analyse/jobs',
  component: lazyRouteComponent(() => loadFiles(import('../features/analyse/jobs/jobs.tsx')), 'Jobs'),
})

const job = createRoute({
  getParentRoute: () => root,
  path: '/analyse/jobs/$jobId',
  component: lazyRouteComponent(() => loadFiles(import('../features/analyse/jobs/job.tsx')), 'JobDetail'),
})

const alerts = createRoute({
  getParentRoute: () => root,
  path: '/watch',
  component: lazyRouteComponent(() => loadFiles(import('../features/watch/alerts/alerts.tsx')), 'Alerts'),
})

const alertRules = createRoute({
  getParentRoute: () => root,
  path: '/watch/rules',
  component: lazyRouteComponent(() => loadFiles(import('../features/watch/rules/rules.tsx')), 'Rules'),
})

const newAlertRule = createRoute({
  getParentRoute: () => root,
  path: '/watch/rules/new',
  component: lazyRouteComponent(() => loadFiles(import('../features/watch/rules/new-rule.tsx')), 'NewRule'),
})

const alertRule = createRoute({
  getParentRoute: () => root,
  path: '/watch/rules/$ruleId',
  component: lazyRouteComponent(() => loadFiles(import('../features/watch/rules/rule.tsx')), 'RuleDetail'),
})

const savedSearches = createRoute({
  getParentRoute: () => root,
  path: '/watch/searches',
  component: lazyRouteComponent(() => loadFiles(import('../features/watch/searches/searches.tsx')), 'SavedSearches'),
})

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: lazyRouteComponent(() => loadFiles(import('../features/inbox/inbox.tsx')), 'Inbox'),
})

const notifications = createRoute({
  getParentRoute: () => root,
  path: '/inbox/notifications',
  component: lazyRouteComponent(
    () => loadFiles(import('../features/inbox/notifications/notifications.tsx')),
    'Notifications',
  ),
})

const notificationPreferences = createRoute({
  getParentRoute: () => root,
  path: '/inbox/preferences',
  component: lazyRouteComponent(
    () => loadFiles(import('../features/inbox/notifications/preferences.tsx')),
    'Preferences',
  ),
})

const money = createRoute({
  getParentRoute: () => root,
  path: '/money',
  component: lazyRouteComponent(() => loadFiles(import('../features/money/money.tsx')), 'Money'),
})

const keys = createRoute({
  getParentRoute: () => root,
  path: '/build',
  component: lazyRouteComponent(() => loadFiles(import('../features/build/keys.tsx')), 'Keys'),
})

const journal = createRoute({
  getParentRoute: () => root,
  path: '/money/journal',
  component: lazyRouteComponent(() => loadFiles(import('../features/money/journal.tsx')), 'Journal'),
})

const cards = createRoute({
  getParentRoute: () => root,
  path: '/money/cards',
  component: lazyRouteComponent(() => loadFiles(import('../features/money/cards.tsx')), 'Cards'),
})

const members = createRoute({
  getParentRoute: () => root,
  path: '/money/members',
  component: lazyRouteComponent(() => loadFiles(import('../features/money/members.tsx')), 'Members'),
})

const invoices = createRoute({
  getParentRoute: () => root,
  path: '/money/invoices',
  component: lazyRouteComponent(() => loadFiles(import('../features/money/invoices.tsx')), 'Invoices'),
})

const approvals = createRoute({
  getParentRoute: () => root,
  path: '/money/approvals',
  component: lazyRouteComponent(() => loadFiles(import('../features/money/approvals.tsx')), 'Approvals'),
})

const commitments = createRoute({
  getParentRoute: () => root,
  path: '/money/commitments',
  component: lazyRouteComponent(() => loadFiles(import('../features/money/commitments.tsx')), 'Commitments'),
})

const tileTokens = createRoute({
  getParentRoute: () => root,
  path: '/build/tiles',
  component: lazyRouteComponent(() => loadFiles(import('../features/build/tile-tokens.tsx')), 'TileTokens'),
})

const apiExplorer = createRoute({
  getParentRoute: () => root,
  path: '/build/api',
  component: lazyRouteComponent(() => loadFiles(import('../features/build/api-explorer.tsx')), 'ApiExplorer'),
})

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/build/webhooks',
  component: lazyRouteComponent(() => loadFiles(import('../features/build/webhooks/webhooks.tsx')), 'Webhooks'),
})

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/build/webhooks/$subscriptionId',
  component: lazyRouteComponent(() => loadFiles(import('../features/build/webhooks/webhook.tsx')), 'WebhookDetail'),
})

const events = createRoute({
  getParentRoute: () => root,
  path: '/build/events',
  component: lazyRouteComponent(() => loadFiles(import('../features/build/events.tsx')), 'Events'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    explore,
    cart,
    tasking,
    orders,
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
