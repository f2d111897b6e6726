import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'

/** The e-mails about an account. */
export const accountMailKinds = [
  'password-changed',
  'password-reset',
  'email-confirmation',
  'email-notice',
  'totp-added',
  'totp-removed',
  'passkey-added',
  'passkey-removed',
  'recovery-code-used',
  'second-factor-reset',
] as const

export type AccountMailKind = (typeof accountMailKinds)[number]

/** Texts with placeholders: `{when}`, `{until}`, and members of the details of the e-mail. */
export interface AccountMailText {
  readonly subject: string
  readonly body: string
  /** The words of its link. */
  readonly link: string
}

interface AccountMailTexts {
  readonly mails: Readonly<Record<AccountMailKind, AccountMailText>>
  readonly footer: string
}

const english: AccountMailTexts = {
  mails: {
    'password-changed': {
      subject: 'Your password was changed',
      body: 'The password of your Swath account was changed on {when}, and all other sessions were ended. If this was not you, choose another password now.',
      link: 'Choose another password',
    },
    'password-reset': {
      subject: 'Choose a new password',
      body: 'Somebody asked for a new password for your Swath account on {when}. The link can be used once, until {until}. If this was not you, ignore this e-mail: nothing changes without the link.',
      link: 'Choose a new password',
    },
    'email-confirmation': {
      subject: 'Confirm your e-mail address',
      body: 'Somebody wants to use this address for a Swath account. The link can be used once, until {until}. If this was not you, ignore this e-mail: nothing changes without the link.',
      link: 'Confirm this address',
    },
    'email-notice': {
      subject: 'Another e-mail address for your account',
      body: 'On {when} somebody asked to replace this address of your Swath account by {address}. If this was not you, refuse it with the link until {until}: then this address stays or comes back, and all sessions end.',
      link: 'This was not me',
    },
    'totp-added': {
      subject: 'An authenticator app was added',
      body: 'An authenticator app was added to your Swath account on {when}. Signing in with your password needs a code of it from now on. If this was not you, choose another password now.',
      link: 'Choose another password',
    },
    'totp-removed': {
      subject: 'Your authenticator app was removed',
      body: 'The authenticator app of your Swath account was removed on {when}. If this was not you, choose another password now.',
      link: 'Choose another password',
    },
    'passkey-added': {
      subject: 'A passkey was added',
      body: 'The passkey {name} was added to your Swath account on {when}. If this was not you, choose another password now, and remove the passkey.',
      link: 'Choose another password',
    },
    'passkey-removed': {
      subject: 'A passkey was removed',
      body: 'The passkey {name} of your Swath account was removed on {when}. If this was not you, choose another password now.',
      link: 'Choose another password',
    },
    'recovery-code-used': {
      subject: 'A recovery code was used',
      body: 'A recovery code of your Swath account was used on {when}. Recovery codes that are left: {left}. If this was not you, choose another password now.',
      link: 'Choose another password',
    },
    'second-factor-reset': {
      subject: 'Your second factor was removed',
      body: 'An operator removed the authenticator app, the passkeys and the recovery codes of your Swath account on {when}, and ended all sessions. If you have not asked for this, choose another password now.',
      link: 'Choose another password',
    },
  },
  footer: 'You receive this e-mail because it concerns the security of your account.',
}

const german: AccountMailTexts = {
  mails: {
    'password-changed': {
      subject: 'Ihr Passwort wurde geändert',
      body: 'Das Passwort Ihres Swath-Kontos wurde am {when} geändert, und alle anderen Sitzungen wurden beendet. Wenn Sie das nicht waren, wählen Sie jetzt ein anderes Passwort.',
      link: 'Ein anderes Passwort wählen',
    },
    'password-reset': {
      subject: 'Neues Passwort wählen',
      body: 'Am {when} wurde ein neues Passwort für Ihr Swath-Konto angefordert. Der Link gilt einmal, bis {until}. Wenn Sie das nicht waren, beachten Sie diese E-Mail nicht: Ohne den Link ändert sich nichts.',
      link: 'Neues Passwort wählen',
    },
    'email-confirmation': {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      body: 'Jemand möchte diese Adresse für ein Swath-Konto verwenden. Der Link gilt einmal, bis {until}. Wenn Sie das nicht waren, beachten Sie diese E-Mail nicht: Ohne den Link ändert sich nichts.',
      link: 'Diese Adresse bestätigen',
    },
    'email-notice': {
      subject: 'Eine andere E-Mail-Adresse für Ihr Konto',
      body: 'Am {when} wurde verlangt, diese Adresse Ihres Swath-Kontos durch {address} zu ersetzen. Wenn Sie das nicht waren, lehnen Sie es bis {until} mit dem Link ab: Dann bleibt diese Adresse oder kommt zurück, und alle Sitzungen enden.',
      link: 'Das war ich nicht',
    },
    'totp-added': {
      subject: 'Eine Authenticator-App wurde hinzugefügt',
      body: 'Ihrem Swath-Konto wurde am {when} eine Authenticator-App hinzugefügt. Die Anmeldung mit dem Passwort verlangt nun einen Code der App. Wenn Sie das nicht waren, wählen Sie jetzt ein anderes Passwort.',
      link: 'Ein anderes Passwort wählen',
    },
    'totp-removed': {
      subject: 'Ihre Authenticator-App wurde entfernt',
      body: 'Die Authenticator-App Ihres Swath-Kontos wurde am {when} entfernt. Wenn Sie das nicht waren, wählen Sie jetzt ein anderes Passwort.',
      link: 'Ein anderes Passwort wählen',
    },
    'passkey-added': {
      subject: 'Ein Passkey wurde hinzugefügt',
      body: 'Ihrem Swath-Konto wurde am {when} der Passkey {name} hinzugefügt. Wenn Sie das nicht waren, wählen Sie jetzt ein anderes Passwort, und entfernen Sie den Passkey.',
      link: 'Ein anderes Passwort wählen',
    },
    'passkey-removed': {
      subject: 'Ein Passkey wurde entfernt',
      body: 'Der Passkey {name} Ihres Swath-Kontos wurde am {when} entfernt. Wenn Sie das nicht waren, wählen Sie jetzt ein anderes Passwort.',
      link: 'Ein anderes Passwort wählen',
    },
    'recovery-code-used': {
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      body: 'Am {when} wurde ein Wiederherstellungscode Ihres Swath-Kontos verwendet. Übrige Codes: {left}. Wenn Sie das nicht waren, wählen Sie jetzt ein anderes Passwort.',
      link: 'Ein anderes Passwort wählen',
    },
    'second-factor-reset': {
      subject: 'Ihr zweiter Faktor wurde entfernt',
      body: 'Ein Betreiber hat am {when} die Authenticator-App, die Passkeys und die Wiederherstellungscodes Ihres Swath-Kontos entfernt und alle Sitzungen beendet. Wenn Sie nicht darum gebeten haben, wählen Sie jetzt ein anderes Passwort.',
      link: 'Ein anderes Passwort wählen',
    },
  },
  footer: 'Sie erhalten diese E-Mail, weil sie die Sicherheit Ihres Kontos betrifft.',
}

const french: AccountMailTexts = {
  mails: {
    'password-changed': {
      subject: 'Votre mot de passe a été modifié',
      body: 'Le mot de passe de votre compte Swath a été modifié le {when}, et toutes les autres sessions ont été fermées. Si ce n’était pas vous, choisissez tout de suite un autre mot de passe.',
      link: 'Choisir un autre mot de passe',
    },
    'password-reset': {
      subject: 'Choisissez un nouveau mot de passe',
      body: 'Un nouveau mot de passe a été demandé pour votre compte Swath le {when}. Le lien est valable une fois, jusqu’au {until}. Si ce n’était pas vous, ignorez cet e-mail : sans le lien, rien ne change.',
      link: 'Choisir un nouveau mot de passe',
    },
    'email-confirmation': {
      subject: 'Confirmez votre adresse e-mail',
      body: 'Quelqu’un veut utiliser cette adresse pour un compte Swath. Le lien est valable une fois, jusqu’au {until}. Si ce n’était pas vous, ignorez cet e-mail : sans le lien, rien ne change.',
      link: 'Confirmer cette adresse',
    },
    'email-notice': {
      subject: 'Une autre adresse e-mail pour votre compte',
      body: 'Le {when}, il a été demandé de remplacer cette adresse de votre compte Swath par {address}. Si ce n’était pas vous, refusez-le avec le lien jusqu’au {until} : cette adresse reste ou revient, et toutes les sessions sont fermées.',
      link: 'Ce n’était pas moi',
    },
    'totp-added': {
      subject: 'Une application d’authentification a été ajoutée',
      body: 'Une application d’authentification a été ajoutée à votre compte Swath le {when}. La connexion par mot de passe demande désormais un code de cette application. Si ce n’était pas vous, choisissez tout de suite un autre mot de passe.',
      link: 'Choisir un autre mot de passe',
    },
    'totp-removed': {
      subject: 'Votre application d’authentification a été supprimée',
      body: 'L’application d’authentification de votre compte Swath a été supprimée le {when}. Si ce n’était pas vous, choisissez tout de suite un autre mot de passe.',
      link: 'Choisir un autre mot de passe',
    },
    'passkey-added': {
      subject: 'Une clé d’accès a été ajoutée',
      body: 'La clé d’accès {name} a été ajoutée à votre compte Swath le {when}. Si ce n’était pas vous, choisissez tout de suite un autre mot de passe et supprimez la clé.',
      link: 'Choisir un autre mot de passe',
    },
    'passkey-removed': {
      subject: 'Une clé d’accès a été supprimée',
      body: 'La clé d’accès {name} de votre compte Swath a été supprimée le {when}. Si ce n’était pas vous, choisissez tout de suite un autre mot de passe.',
      link: 'Choisir un autre mot de passe',
    },
    'recovery-code-used': {
      subject: 'Un code de secours a été utilisé',
      body: 'Un code de secours de votre compte Swath a été utilisé le {when}. Codes restants : {left}. Si ce n’était pas vous, choisissez tout de suite un autre mot de passe.',
      link: 'Choisir un autre mot de passe',
    },
    'second-factor-reset': {
      subject: 'Votre second facteur a été supprimé',
      body: 'Un opérateur a supprimé l’application d’authentification, les clés d’accès et les codes de secours de votre compte Swath le {when}, et a fermé toutes les sessions. Si vous ne l’avez pas demandé, choisissez tout de suite un autre mot de passe.',
      link: 'Choisir un autre mot de passe',
    },
  },
  footer: 'Vous recevez cet e-mail parce qu’il concerne la sécurité de votre compte.',
}

/** The texts of the e-mails about accounts, by language. */
export const accountMailTexts: Readonly<Record<AccountLanguage, AccountMailTexts>> = {
  en: english,
  de: german,
  fr: french,
}
