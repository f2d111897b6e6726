import type { Tx } from '../../platform/database/database.ts'
import { updateUserDisabled, type UserForOperatorRow } from './store.for-operators.ts'

/** Disables a user at a time, or enables one; null if the user is in that state already. The caller ends the tokens. */
export const setUserDisabledAt = (
  tx: Tx,
  user: string,
  { isDisabled, at }: { readonly isDisabled: boolean; readonly at: Date },
): Promise<UserForOperatorRow | null> => updateUserDisabled(tx, user, { disabled_at: isDisabled ? at : null, at })
