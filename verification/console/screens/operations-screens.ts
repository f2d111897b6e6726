import type { ScreenRow } from './screen-row.ts'

/** Usage and reports, the audit trail, and the screens of operators. */
export const operationsScreens: readonly ScreenRow[] = [
  {
    name: 'usage',
    path: () => '/money/usage',
    reads: ['usage.current', 'usage.by_operation', 'usage.history', 'billing.forecast'],
  },
  { name: 'reports', path: () => '/money/reports', reads: ['reports.list', 'reports.schedules.list'] },
  { name: 'audit', path: () => '/build/audit', reads: ['organizations.audit.list'] },
  { name: 'admin-organizations', path: () => '/admin', reads: ['admin.orgs.list'] },
  { name: 'admin-people', path: () => '/admin/people', reads: ['admin.users.list'] },
  { name: 'admin-adjustments', path: () => '/admin/adjustments', reads: ['admin.credit_adjustments.list'] },
  { name: 'admin-tasks', path: () => '/admin/tasks', reads: ['admin.dead_letters.list'] },
  { name: 'admin-stuck-work', path: () => '/admin/stuck', reads: ['admin.stuck_work.list'] },
  {
    name: 'admin-products',
    path: () => '/admin/products',
    reads: ['admin.data_products.list', 'admin.data_products.versions.list'],
  },
  { name: 'admin-prices', path: () => '/admin/prices', reads: ['admin.rate_cards.list'] },
  {
    name: 'admin-features',
    path: () => '/admin/features',
    reads: ['admin.feature_flags.list'],
    without: { empty: 'the flags are declared in the code' },
  },
]
