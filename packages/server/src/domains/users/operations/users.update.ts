import { usersUpdateOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { changeOwnProfile } from '../../identity/account/change-profile.ts'
import { isTimeZone } from '../time-zones.ts'

export const handler = defineHandler(usersUpdateOperation, async (call, { name, language, time_zone }) => {
  if (time_zone && !isTimeZone(time_zone))
    throw validationProblem([{ path: 'time_zone', message: 'is not the name of a time zone' }])
  const user = await changeOwnProfile(call, {
    ...(name === undefined ? {} : { name: name?.trim() ?? null }),
    ...(language ? { language } : {}),
    ...(time_zone ? { time_zone } : {}),
  })
  const { id, email, language: chosenLanguage, time_zone: chosenZone } = user
  return { user: { id, email, name: user.name, language: chosenLanguage, time_zone: chosenZone } }
})
