// Generated from `apps/console/src/app/router.tsx` by `npm run generate`; do not edit.

/** The first members of the addresses of the console. */
export const consolePathPrefixes = [
  'account',
  'admin',
  'analyse',
  'build',
  'cart',
  'explore',
  'inbox',
  'library',
  'money',
  'orders',
  'tasking',
  'team',
  'view',
  'watch',
] as const
