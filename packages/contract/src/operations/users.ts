import { operation } from '../operation.ts'
import { NoInput } from '../shapes/primitives.ts'
import { Myself } from '../shapes/user.ts'

export const usersMe = operation({
  id: 'users.me',
  scope: null,
  effect: 'read',
  summary: 'Tell who is calling: principal, organization, role, scopes, caps and wallet.',
  input: NoInput,
  output: Myself,
  extension: true,
  answered: true,
})
