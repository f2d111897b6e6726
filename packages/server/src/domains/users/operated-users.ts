import type { Queryable, Tx } from '../../platform/database/database.ts'
import type { RowPage } from '../../platform/database/select-page.ts'
import {
  findOperatedUser,
  selectUsers,
  updateDisabled,
  type OperatedUserRow,
  type UserFilter,
} from './store.operated.ts'

export type { OperatedUserRow } from './store.operated.ts'

/** Users of the platform that match a filter, newest first. */
export const listUsers = (unscoped: Queryable, filter: UserFilter): Promise<RowPage<OperatedUserRow>> =>
  selectUsers(unscoped, filter)

/** A user as operators read one; null if there is none. */
export const readOperatedUser = (unscoped: Queryable, user: string): Promise<OperatedUserRow | null> =>
  findOperatedUser(unscoped, user)

/** Disables a user at a time, or enables one; null if the user is in that state already. The caller ends the tokens. */
export const setDisabled = (
  tx: Tx,
  user: string,
  { isDisabled, at }: { readonly isDisabled: boolean; readonly at: Date },
): Promise<OperatedUserRow | null> => updateDisabled(tx, user, { disabled_at: isDisabled ? at : null, at })
