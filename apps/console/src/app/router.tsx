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

/** A screen in the panel, whose files are loaded when it is opened. */
const createScreenRoute = <const Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Readonly<Record<Name, RouteComponent>>>,
  name: Name,
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(async () => ({ default: (await loadFiles(load()))[name] })),
  })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/explore', search: (previous) => previous })
  },
})

const explore = createScreenRoute('/explore', () => import('../features/explore/explore.tsx'), 'Explore')

const cart = createScreenRoute('/cart', () => import('../features/cart/cart.tsx'), 'Cart')

const tasking = createScreenRoute('/tasking', () => import('../features/tasking/tasking.tsx'), 'Tasking')

const orders = createScreenRoute('/orders', () => import('../features/orders/orders.tsx'), 'Orders')

const orderTable = createScreenRoute('/orders/table', () => import('../features/orders/order-table.tsx'), 'OrderTable')

const order = createScreenRoute('/orders/$orderId', () => import('../features/orders/order.tsx'), 'OrderDetail')

const library = createScreenRoute('/library', () => import('../features/library/library.tsx'), 'Library')

const item = createScreenRoute(
  '/library/items/$itemId',
  () => import('../features/library/item/item.tsx'),
  'ItemDetail',
)

const uploads = createScreenRoute(
  '/library/uploads',
  () => import('../features/library/uploads/uploads.tsx'),
  'Uploads',
)

const deletedItems = createScreenRoute(
  '/library/deleted',
  () => import('../features/library/deleted-items.tsx'),
  'DeletedItems',
)

const projectSettings = createScreenRoute(
  '/library/projects/$projectId',
  () => import('../features/library/projects/project.tsx'),
  'ProjectSettings',
)

const collectionSettings = createScreenRoute(
  '/library/projects/$projectId/collections/$collectionId',
  () => import('../features/library/projects/collection.tsx'),
  'CollectionSettings',
)

const viewer = createScreenRoute('/view', () => import('../features/viewer/viewer.tsx'), 'Viewer')

const analyse = createScreenRoute('/analyse', () => import('../features/analyse/processes.tsx'), 'Processes')

const runProcess = createScreenRoute(
  '/analyse/run/$processId',
  () => import('../features/analyse/run/process.tsx'),
  'RunProcess',
)

const runMethod = createScreenRoute(
  '/analyse/measure/$methodName',
  () => import('../features/analyse/measure/method.tsx'),
  'RunMethod',
)

const jobs = createScreenRoute('/analyse/jobs', () => import('../features/analyse/jobs/jobs.tsx'), 'Jobs')

const job = createScreenRoute('/analyse/jobs/$jobId', () => import('../features/analyse/jobs/job.tsx'), 'JobDetail')

const alerts = createScreenRoute('/watch', () => import('../features/watch/alerts/alerts.tsx'), 'Alerts')

const alertRules = createScreenRoute('/watch/rules', () => import('../features/watch/rules/rules.tsx'), 'Rules')

const newAlertRule = createScreenRoute(
  '/watch/rules/new',
  () => import('../features/watch/rules/new-rule.tsx'),
  'NewRule',
)

const alertRule = createScreenRoute(
  '/watch/rules/$ruleId',
  () => import('../features/watch/rules/rule.tsx'),
  'RuleDetail',
)

const savedSearches = createScreenRoute(
  '/watch/searches',
  () => import('../features/watch/searches/searches.tsx'),
  'SavedSearches',
)

const inbox = createScreenRoute('/inbox', () => import('../features/inbox/inbox.tsx'), 'Inbox')

const notifications = createScreenRoute(
  '/inbox/notifications',
  () => import('../features/inbox/notifications/notifications.tsx'),
  'Notifications',
)

const notificationPreferences = createScreenRoute(
  '/inbox/preferences',
  () => import('../features/inbox/notifications/preferences.tsx'),
  'Preferences',
)

const money = createScreenRoute('/money', () => import('../features/money/money.tsx'), 'Money')

const keys = createScreenRoute('/build', () => import('../features/build/credential-screens.ts'), 'Keys')

const accessTokens = createScreenRoute(
  '/build/tokens',
  () => import('../features/build/credential-screens.ts'),
  'AccessTokens',
)

const oauthClients = createScreenRoute(
  '/build/clients',
  () => import('../features/build/credential-screens.ts'),
  'OAuthClients',
)

const allowedPrograms = createScreenRoute(
  '/build/programs',
  () => import('../features/build/credential-screens.ts'),
  'AllowedPrograms',
)

const journal = createScreenRoute('/money/journal', () => import('../features/money/journal.tsx'), 'Journal')

const cards = createScreenRoute('/money/cards', () => import('../features/money/cards.tsx'), 'Cards')

const invoices = createScreenRoute('/money/invoices', () => import('../features/money/invoices.tsx'), 'Invoices')

const approvals = createScreenRoute('/money/approvals', () => import('../features/money/approvals.tsx'), 'Approvals')

const commitments = createScreenRoute(
  '/money/commitments',
  () => import('../features/money/commitments.tsx'),
  'Commitments',
)

const usage = createScreenRoute('/money/usage', () => import('../features/money/usage/usage.tsx'), 'Usage')

const reports = createScreenRoute('/money/reports', () => import('../features/money/reports/reports.tsx'), 'Reports')

const members = createScreenRoute('/team', () => import('../features/team/members.tsx'), 'Members')

const invitations = createScreenRoute(
  '/team/invitations',
  () => import('../features/team/invitations.tsx'),
  'Invitations',
)

const security = createScreenRoute('/team/security', () => import('../features/team/security.tsx'), 'Security')

const organization = createScreenRoute(
  '/team/organization',
  () => import('../features/team/organization.tsx'),
  'Organization',
)

const account = createScreenRoute('/account', () => import('../features/account/profile.tsx'), 'Profile')

const accountSignIn = createScreenRoute('/account/sign-in', () => import('../features/account/sign-in.tsx'), 'SignIn')

const accountSessions = createScreenRoute(
  '/account/sessions',
  () => import('../features/account/sessions.tsx'),
  'Sessions',
)

const audit = createScreenRoute('/build/audit', () => import('../features/build/audit/audit.tsx'), 'Audit')

const organizations = createScreenRoute('/admin', () => import('../features/admin/admin-screens.ts'), 'Organizations')

const people = createScreenRoute('/admin/people', () => import('../features/admin/admin-screens.ts'), 'People')

const roleChanges = createScreenRoute('/admin/roles', () => import('../features/admin/admin-screens.ts'), 'RoleChanges')

const adjustments = createScreenRoute(
  '/admin/adjustments',
  () => import('../features/admin/admin-screens.ts'),
  'Adjustments',
)

const failedTasks = createScreenRoute('/admin/tasks', () => import('../features/admin/admin-screens.ts'), 'FailedTasks')

const stuckWork = createScreenRoute('/admin/stuck', () => import('../features/admin/admin-screens.ts'), 'StuckWork')

const rateCards = createScreenRoute('/admin/prices', () => import('../features/admin/admin-screens.ts'), 'RateCards')

const dataProducts = createScreenRoute(
  '/admin/products',
  () => import('../features/admin/admin-screens.ts'),
  'DataProducts',
)

const featureFlags = createScreenRoute(
  '/admin/features',
  () => import('../features/admin/admin-screens.ts'),
  'FeatureFlags',
)

const tileTokens = createScreenRoute('/build/tiles', () => import('../features/build/tile-tokens.tsx'), 'TileTokens')

const apiExplorer = createScreenRoute('/build/api', () => import('../features/build/api-explorer.tsx'), 'ApiExplorer')

const webhooks = createScreenRoute(
  '/build/webhooks',
  () => import('../features/build/webhooks/webhooks.tsx'),
  'Webhooks',
)

const webhook = createScreenRoute(
  '/build/webhooks/$subscriptionId',
  () => import('../features/build/webhooks/webhook.tsx'),
  'WebhookDetail',
)

const events = createScreenRoute('/build/events', () => import('../features/build/events.tsx'), 'Events')

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
    accessTokens,
    oauthClients,
    allowedPrograms,
    journal,
    cards,
    members,
    invitations,
    security,
    organization,
    account,
    accountSignIn,
    accountSessions,
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
    roleChanges,
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
