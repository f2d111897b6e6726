import { Command } from 'commander'
import { createClient } from '@swath/client/client.ts'
import { everyScope } from '@swath/client/every-scope.ts'
import { signInWithDevice } from '@swath/client/auth/device.ts'
import { SignInError, type SessionTokens } from '@swath/client/auth/oauth.ts'
import { signInWithPassword } from '@swath/client/tokens.ts'
import { text as readStream } from 'node:stream/consumers'
import { canAsk, writeMessage, type CommandContext } from '../context.ts'
import { describeFailure } from '../connection.ts'
import { classifyFailure, CommandFailure, usageFailure } from '../failures.ts'
import { openInBrowser } from '../login/open-in-browser.ts'
import { createStyle } from '../output/colours.ts'
import { askForOtp, toOrigin } from '../profiles/open-connection.ts'
import { client_id } from '../profiles/session-tokens.ts'
import { readProfiles, saveProfile } from '../profiles/profiles.ts'

interface LoginOptions {
  readonly address?: string
  readonly profile?: string
  readonly keyStdin?: boolean
  readonly username?: string
  readonly passwordStdin?: boolean
  readonly allScopes?: boolean
  readonly browser: boolean
}

/** What a sign-in stores: a key, or the tokens of a session. */
interface SignedIn {
  readonly kind: 'key' | 'session'
  readonly secret: string
  readonly accessToken: string
}

const defaultAddress = 'http://localhost:8080'

/** `swath login`: in a browser by a code, with `--key-stdin`, or with a user name and a password. */
export function registerLogin(command: Command, context: CommandContext): void {
  command
    .option('--address <url>', 'the server (default: that of the profile, or SWATH_ADDRESS)')
    .option('--profile <name>', 'the name to store it under', 'default')
    .option('--key-stdin', 'read an API key from the standard input')
    .option('--username <name>', 'sign in with a password, which is asked for or read with --password-stdin')
    .option('--password-stdin', 'read the password from the standard input')
    .option('--all-scopes', 'with all rights that you have, those of operators included')
    .option('--no-browser', 'only print the address and the code')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swath login --address https://swath.example.org\n  $ swath login --key-stdin < key.txt',
    ) // prettier-ignore
    .action(() => login(context, command.opts<LoginOptions>()))
}

async function login(context: CommandContext, options: LoginOptions): Promise<void> {
  const name = options.profile ?? 'default'
  const stored = (await readProfiles(context.env)).profiles[name]
  const address = toOrigin(options.address ?? stored?.address ?? context.env['SWATH_ADDRESS'] ?? defaultAddress)
  try {
    const signedIn = await signIn(context, address, options)
    const account = await readAccount(address, signedIn.accessToken)
    const { kind, secret } = signedIn
    const { secret_place } = await saveProfile(context.env, name, { address, kind, account, secret })
    const place = secret_place === 'keychain' ? 'the keychain' : 'a file that only you can read'
    writeMessage(context, `Signed in to ${address} as ${account} (profile "${name}"; the secret is in ${place}).`)
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    const source = options.keyStdin ? 'profile' : 'options'
    throw new CommandFailure(classifyFailure(error), describeFailure(error, { address, source }), { cause: error })
  }
}

function signIn(context: CommandContext, address: string, options: LoginOptions): Promise<SignedIn> {
  if (options.keyStdin) return readKey(context)
  if (options.username !== undefined) return signInByPassword(context, address, options.username, options)
  return signInByBrowser(context, address, options)
}

async function readKey(context: CommandContext): Promise<SignedIn> {
  const secret = canAsk(context) ? await askSecret(context, 'API key:') : (await readStream(context.stdin)).trim()
  if (secret === '') throw usageFailure('The standard input has no key: swath login --key-stdin < key.txt')
  return { kind: 'key', secret, accessToken: secret }
}

const toSession = (tokens: SessionTokens): SignedIn => ({
  kind: 'session',
  secret: JSON.stringify(tokens),
  accessToken: tokens.accessToken,
})

async function signInByPassword(
  context: CommandContext,
  address: string,
  username: string,
  { passwordStdin, allScopes }: LoginOptions,
): Promise<SignedIn> {
  if (!passwordStdin && !canAsk(context)) throw usageFailure('Nobody can be asked for the password here: pipe it in with --password-stdin.') // prettier-ignore
  const password = passwordStdin ? (await readStream(context.stdin)).replace(/\r?\n$/, '') : await askSecret(context, 'Password:') // prettier-ignore
  const scope = allScopes ? { scope: everyScope } : {}
  const credentials = { username, password, clientId: client_id, askForOtp: () => askForOtp(context), ...scope }
  return toSession(await signInWithPassword({ baseUrl: address }, credentials))
}

async function signInByBrowser(context: CommandContext, address: string, options: LoginOptions): Promise<SignedIn> {
  const style = createStyle(context.env, context.stderr)
  const tokens = await signInWithDevice(
    { baseUrl: address },
    {
      clientId: client_id,
      ...(options.allScopes ? { scope: everyScope } : {}),
      onCode: ({ verification_uri_complete, user_code }) => {
        writeMessage(context, `Open ${verification_uri_complete}\nand compare the code: ${style('bold', user_code)}`)
        if (options.browser && canAsk(context)) void openInBrowser(verification_uri_complete)
        writeMessage(context, 'Waiting until you have allowed it there (Ctrl+C ends it) …')
      },
    },
  ).catch(explainRefusal)
  return toSession(tokens)
}

const refusals: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was denied in the browser.',
  expired_token: 'The code was not confirmed in time. Call swath login again.',
}

function explainRefusal(error: unknown): never {
  const sentence = error instanceof SignInError ? refusals[error.code] : undefined
  throw sentence === undefined ? error : new CommandFailure('signIn', sentence, { cause: error })
}

async function askSecret(context: CommandContext, message: string): Promise<string> {
  const { default: password } = await import('@inquirer/password')
  return password({ message, mask: true }, { input: context.stdin, output: context.stderr })
}

interface Me {
  readonly kind: string
  readonly user: { readonly email: string } | null
  readonly organization: { readonly name: string } | null
}

/** Who the credentials are of; throws if the server does not accept them. */
async function readAccount(address: string, token: string): Promise<string> {
  const { kind, user, organization } = await createClient({ baseUrl: address, token }).call<Me>('users.me')
  return [user?.email ?? `a key (${kind})`, organization ? `of ${organization.name}` : ''].join(' ').trim()
}
