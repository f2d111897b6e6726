import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'

/** Names of the people of the organization by their ids. */
export function useMemberNames(): (userId: string) => string {
  const members = useOperation('organizations.members.list', {}).data?.members
  return (userId) => {
    const member = members?.find(({ user_id }) => user_id === userId)
    return member?.name ?? member?.email ?? texts.money.somebody
  }
}
