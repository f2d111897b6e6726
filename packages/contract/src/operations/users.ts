import { operation } from '../operation.ts'
import { NoInput } from '../shapes/primitives.ts'
import { Myself } from '../shapes/user.ts'

export const usersMe = operation({
  id: 'users.me',
  scope: null,
  effect: 'read',
  summary: 'Read the calling principal with its organization, role, scopes, spend limits and wallet.',
  input: NoInput,
  output: Myself,
  extension: true,
  answered: true,
})
