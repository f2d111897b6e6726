import { AccountScreen } from './account-screen.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { AuthenticatorApp, RecoveryCodes } from './second-factor.tsx'

/** How a person signs in: the password, an app, and passkeys. */
export function SignIn() {
  return (
    <AccountScreen>
      <PasswordForm />
      <AuthenticatorApp />
      <RecoveryCodes />
      <Passkeys />
    </AccountScreen>
  )
}
