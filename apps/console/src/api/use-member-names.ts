import { uiTexts } from '../texts/ui.ts'
import { useOperation } from './use-operation.ts'

/** Names of the people of the organization by their ids; a word for those who left, or whom this person may not see. */
export function useMemberNames(): (userId: string) => string {
  const members = useOperation('organizations.members.list', {}).data?.members
  return (userId) => {
    const member = members?.find(({ user_id }) => user_id === userId)
    return member?.name ?? member?.email ?? (members ? uiTexts.formerMember : uiTexts.member)
  }
}
