// Signs in and calls an operation with the credentials of the first start, after other programs have called everything.
import { setTimeout as pause } from 'node:timers/promises'
import { ApiProblem } from '@swath/client/problem.ts'
import { openAdminClient } from '../admin-client.ts'

const { client } = await openAdminClient(process.argv[2] ?? '')
const readMe = () => client.call<{ user: { email: string } }>('users.me')

/** Wrong passwords of those calls count against the account for some minutes. */
async function readMeInTime() {
  try {
    return await readMe()
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.retryAfter_s === null) throw error
    await pause(error.retryAfter_s * 1000)
    return readMe()
  }
}

console.log(`${(await readMeInTime()).user.email} is still signed in`)
