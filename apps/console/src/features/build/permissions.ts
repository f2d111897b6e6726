import { buildTexts } from '../../texts/build.ts'

/** Sets of flags that people choose between; a key with other permissions has chosen scopes. */
export const accessFlags = {
  read: ['can_read'],
  write: ['can_read', 'can_write'],
  process: ['can_read', 'can_write', 'can_process'],
} as const

export type Access = keyof typeof accessFlags | 'chosen'

/** The access that permissions stand for. */
export function accessOf(permissions: readonly string[]): Access {
  if (permissions.some((permission) => permission.includes(':'))) return 'chosen'
  if (permissions.includes('can_process')) return 'process'
  return permissions.includes('can_write') ? 'write' : 'read'
}

/** Permissions as a person reads them. */
export function describePermissions(permissions: readonly string[]): string {
  const access = accessOf(permissions)
  return access === 'chosen' ? permissions.join(', ') : buildTexts.access[access]
}
