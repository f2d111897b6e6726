/** The texts of the pages in German, by their English. The keys are all messages that pages may have. */
export const german = {
  Error: 'Fehler',
  // Signing in
  'Sign in': 'Anmelden',
  'Continue to {client}.': 'Weiter zu {client}.',
  'Continue to the Swath console.': 'Weiter zur Swath-Konsole.',
  'Continue to the device that shows you a code.': 'Weiter zu dem Gerät, das Ihnen einen Code zeigt.',
  'Continue to your invitation.': 'Weiter zu Ihrer Einladung.',
  'Your session has ended. Sign in again to continue where you were; what was saved is kept.':
    'Ihre Sitzung ist beendet. Melden Sie sich wieder an, um dort weiterzumachen, wo Sie waren; Gespeichertes bleibt erhalten.',
  'No administrator has signed in yet. The first credentials are in the file `{file}` on the server.':
    'Bisher hat sich kein Administrator angemeldet. Die ersten Zugangsdaten stehen in der Datei `{file}` auf dem Server.',
  'E-mail': 'E-Mail',
  Password: 'Passwort',
  Name: 'Name',
  Continue: 'Weiter',
  Save: 'Speichern',
  'Sign in and change the password': 'Anmelden und das Passwort ändern',
  'Sign in with a passkey': 'Mit einem Passkey anmelden',
  'Forgot your password?': 'Passwort vergessen?',
  'The e-mail or the password is wrong.': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  'The password is wrong.': 'Das Passwort ist falsch.',
  'Enter your e-mail address.': 'Geben Sie Ihre E-Mail-Adresse ein.',
  'Enter your password.': 'Geben Sie Ihr Passwort ein.',
  'Enter your name.': 'Geben Sie Ihren Namen ein.',
  'Too many failed attempts. Try again in 1 second.': 'Zu viele Fehlversuche. Versuchen Sie es in 1 Sekunde wieder.',
  'Too many failed attempts. Try again in {count} seconds.':
    'Zu viele Fehlversuche. Versuchen Sie es in {count} Sekunden wieder.',
  'Too many failed attempts. Try again in 1 minute.': 'Zu viele Fehlversuche. Versuchen Sie es in 1 Minute wieder.',
  'Too many failed attempts. Try again in {count} minutes.':
    'Zu viele Fehlversuche. Versuchen Sie es in {count} Minuten wieder.',
  'This page was open for too long, or your browser blocks its cookies. Please try again.':
    'Diese Seite war zu lange offen, oder Ihr Browser blockiert ihre Cookies. Bitte versuchen Sie es noch einmal.',
  'This sign-in link does not work': 'Dieser Anmelde-Link funktioniert nicht',
  'The application that sent you here asked to continue at an address (redirect_uri) that is not registered for it.':
    'Die Anwendung, von der Sie kommen, will an einer Adresse (redirect_uri) weitermachen, die nicht für sie registriert ist.',
  'The application that sent you here (client_id) is not registered on this platform.':
    'Die Anwendung, von der Sie kommen (client_id), ist auf dieser Plattform nicht registriert.',
  'Sign-in is not possible now': 'Die Anmeldung ist gerade nicht möglich',
  'This form does not exist': 'Dieses Formular gibt es nicht',
  'Go back and try again.': 'Gehen Sie zurück und versuchen Sie es noch einmal.',
  // The second factor
  'Second factor': 'Zweiter Faktor',
  'Enter the code that your authenticator app shows, or a recovery code.':
    'Geben Sie den Code ein, den Ihre Authenticator-App zeigt, oder einen Wiederherstellungscode.',
  'Use your passkey, or enter a recovery code.':
    'Verwenden Sie Ihren Passkey, oder geben Sie einen Wiederherstellungscode ein.',
  Code: 'Code',
  'Recovery code': 'Wiederherstellungscode',
  'Use a passkey': 'Passkey verwenden',
  'That is wrong, or was used before. Try the next code.':
    'Das ist falsch oder wurde schon verwendet. Versuchen Sie es mit dem nächsten Code.',
  'Set up a second factor': 'Zweiten Faktor einrichten',
  'Your organization requires one. Scan this with an authenticator app, and enter the code that it shows.':
    'Ihre Organisation verlangt einen. Scannen Sie dies mit einer Authenticator-App, und geben Sie den Code ein, den sie zeigt.',
  'Without a camera, enter this in the app: `{secret}`': 'Ohne Kamera geben Sie dies in der App ein: `{secret}`',
  'Set up a passkey instead': 'Stattdessen einen Passkey einrichten',
  'The code is wrong. Compare the clock of the device with the time.':
    'Der Code ist falsch. Vergleichen Sie die Uhr des Geräts mit der Uhrzeit.',
  'Keep these recovery codes': 'Bewahren Sie diese Wiederherstellungscodes auf',
  'Each of them replaces your second factor once, for instance if you lose the device. They are not shown again.':
    'Jeder ersetzt Ihren zweiten Faktor einmal, zum Beispiel wenn Sie das Gerät verlieren. Sie werden nicht noch einmal gezeigt.',
  'I have kept them: continue': 'Ich habe sie aufbewahrt: weiter',
  'The passkey was not used. Try again, or choose another way.':
    'Der Passkey wurde nicht verwendet. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  'Passkeys do not work here': 'Passkeys funktionieren hier nicht',
  'Passkeys need a host name, and this server is reached by an IP address: browsers bind passkeys to names.':
    'Passkeys brauchen einen Hostnamen, und dieser Server wird über eine IP-Adresse erreicht: Browser binden Passkeys an Namen.',
  'Your browser asks for the passkey. Without a button here, this browser has no passkeys.':
    'Ihr Browser fragt nach dem Passkey. Ohne Schaltfläche hier kennt dieser Browser keine Passkeys.',
  'Sign in with your password': 'Mit dem Passwort anmelden',
  'There is no such passkey here, or the page was open for too long. Try again.':
    'Diesen Passkey gibt es hier nicht, oder die Seite war zu lange offen. Versuchen Sie es noch einmal.',
  // Passwords
  'Choose a new password': 'Neues Passwort wählen',
  'New password': 'Neues Passwort',
  'New password, again': 'Neues Passwort, noch einmal',
  'Password, again': 'Passwort, noch einmal',
  'At least {count} characters.': 'Mindestens {count} Zeichen.',
  'Save and continue': 'Speichern und weiter',
  'The password that you entered was made for you, and others may have seen it. Choose one that only you know.':
    'Das eingegebene Passwort wurde für Sie erzeugt, und andere können es gesehen haben. Wählen Sie eines, das nur Sie kennen.',
  'All other sessions of yours end when the new password is saved. API keys go on working.':
    'Alle Ihre anderen Sitzungen enden, sobald das neue Passwort gespeichert ist. API-Schlüssel funktionieren weiter.',
  'All your sessions end when the new password is saved. API keys go on working.':
    'Alle Ihre Sitzungen enden, sobald das neue Passwort gespeichert ist. API-Schlüssel funktionieren weiter.',
  'Your password has been changed already. Sign in with the new one.':
    'Ihr Passwort wurde bereits geändert. Melden Sie sich mit dem neuen an.',
  'Choose another password than the one that you have.': 'Wählen Sie ein anderes Passwort als Ihr bisheriges.',
  'The password must have at least {count} characters.': 'Das Passwort muss mindestens {count} Zeichen haben.',
  'The password must have at most {count} bytes.': 'Das Passwort darf höchstens {count} Bytes haben.',
  'The password must not be the e-mail address.': 'Das Passwort darf nicht die E-Mail-Adresse sein.',
  'The two passwords are not equal.': 'Die beiden Passwörter sind nicht gleich.',
  'Enter the e-mail address of your account to get a link with which you choose another password.':
    'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie bekommen einen Link, mit dem Sie ein anderes Passwort wählen.',
  'Send a link': 'Link senden',
  'Look into your e-mails': 'Sehen Sie in Ihre E-Mails',
  'If the address has an account, an e-mail with a link is on its way. The link is valid for {count} minutes.':
    'Wenn die Adresse ein Konto hat, ist eine E-Mail mit einem Link unterwegs. Der Link gilt {count} Minuten.',
  'This link is not valid': 'Dieser Link ist nicht gültig',
  'It was used before, or has expired, or there is a newer one.':
    'Er wurde schon verwendet, ist abgelaufen, oder es gibt einen neueren.',
  'Ask for another link': 'Einen anderen Link anfordern',
  'Your password was changed': 'Ihr Passwort wurde geändert',
  'All your sessions have ended. Sign in with the new password.':
    'Alle Ihre Sitzungen sind beendet. Melden Sie sich mit dem neuen Passwort an.',
  // E-mail addresses
  'It was used before, has expired, or is not needed any more.':
    'Er wurde schon verwendet, ist abgelaufen oder wird nicht mehr gebraucht.',
  'Use this e-mail address?': 'Diese E-Mail-Adresse verwenden?',
  'Refuse the other e-mail address?': 'Die andere E-Mail-Adresse ablehnen?',
  'The account of `{from}` has the address `{to}` from then on, also for signing in.':
    'Das Konto von `{from}` hat dann die Adresse `{to}`, auch für die Anmeldung.',
  'Your account keeps the address `{from}` instead of `{to}`, or gets it back. All sessions end, and you get a link to choose another password.':
    'Ihr Konto behält die Adresse `{from}` statt `{to}` oder bekommt sie zurück. Alle Sitzungen enden, und Sie bekommen einen Link, um ein anderes Passwort zu wählen.',
  'Use this address': 'Diese Adresse verwenden',
  'This was not me: refuse it': 'Das war ich nicht: ablehnen',
  'The address was confirmed': 'Die Adresse wurde bestätigt',
  'Your account has it from now on.': 'Ihr Konto hat sie von jetzt an.',
  'The other address was refused': 'Die andere Adresse wurde abgelehnt',
  'All sessions and personal access tokens have ended, and passkeys and authenticator apps added since the day before are removed. An e-mail with a link to choose another password is on its way to you.':
    'Alle Sitzungen und persönlichen Zugriffstoken sind beendet, und Passkeys und Authenticator-Apps, die seit dem Vortag hinzukamen, sind entfernt. Eine E-Mail mit einem Link, um ein anderes Passwort zu wählen, ist unterwegs zu Ihnen.',
  'The address cannot come back': 'Die Adresse kann nicht zurückkommen',
  'Another account has it by now. Write to the operator of this platform.':
    'Ein anderes Konto hat sie inzwischen. Schreiben Sie dem Betreiber dieser Plattform.',
  // Consent and devices
  'Allow {program}?': '{program} erlauben?',
  'Allow {program} on this device?': '{program} auf diesem Gerät erlauben?',
  '{program} asks to act as {email}. It learns your name, your e-mail address and your organization.':
    '{program} möchte als {email} handeln. Das Programm erfährt Ihren Namen, Ihre E-Mail-Adresse und Ihre Organisation.',
  '{program} asks to act as {email} in {organization}. It learns your name, your e-mail address and your organization.':
    '{program} möchte als {email} in {organization} handeln. Das Programm erfährt Ihren Namen, Ihre E-Mail-Adresse und Ihre Organisation.',
  'You will be sent to `{target}`.': 'Sie werden zu `{target}` weitergeleitet.',
  'Within your role, it can:': 'Im Rahmen Ihrer Rolle kann es:',
  'It then works as {email}. Within your role, it can:': 'Es arbeitet dann als {email}. Im Rahmen Ihrer Rolle kann es:',
  'The program is described by `{host}`. Nobody here has checked it.':
    'Das Programm wird von `{host}` beschrieben. Niemand hier hat es geprüft.',
  'The program has registered itself. Nobody here has checked its name.':
    'Das Programm hat sich selbst registriert. Niemand hier hat seinen Namen geprüft.',
  'The program belongs to the organization {organization}.': 'Das Programm gehört der Organisation {organization}.',
  Organization: 'Organisation',
  'Choose one of your organizations.': 'Wählen Sie eine Ihrer Organisationen.',
  Allow: 'Erlauben',
  Deny: 'Ablehnen',
  'Sign in a device': 'Ein Gerät anmelden',
  'Enter the code that the program or device shows you.':
    'Geben Sie den Code ein, den das Programm oder Gerät Ihnen zeigt.',
  'Eight letters, such as WDJB-MJHT.': 'Acht Buchstaben, zum Beispiel WDJB-MJHT.',
  'There is no such code, or it has expired. Compare it with the one on your device, or ask for another there.':
    'Diesen Code gibt es nicht, oder er ist abgelaufen. Vergleichen Sie ihn mit dem auf Ihrem Gerät, oder fordern Sie dort einen anderen an.',
  'Too many wrong codes': 'Zu viele falsche Codes',
  'Wait a minute, and open this page again.': 'Warten Sie eine Minute, und öffnen Sie diese Seite wieder.',
  'This program is not for you': 'Dieses Programm ist nicht für Sie',
  'It is for members of another organization, or does not exist any more.':
    'Es ist für Mitglieder einer anderen Organisation, oder es gibt es nicht mehr.',
  'Sign in this device?': 'Dieses Gerät anmelden?',
  'The code is `{code}`. It was asked for from `{address}` at {time} UTC.':
    'Der Code ist `{code}`. Er wurde von `{address}` um {time} UTC angefordert.',
  'The device then works as {email}, with all your rights but those of operators, until it signs out.':
    'Das Gerät arbeitet dann als {email}, mit allen Ihren Rechten außer denen von Betreibern, bis es sich abmeldet.',
  'The device then works as {email}, with these rights: `{scopes}`, until it signs out.':
    'Das Gerät arbeitet dann als {email}, mit diesen Rechten: `{scopes}`, bis es sich abmeldet.',
  'Deny it if you have not asked for this code yourself, whoever sent it to you.':
    'Lehnen Sie ab, wenn Sie diesen Code nicht selbst angefordert haben, wer auch immer ihn Ihnen geschickt hat.',
  'The device is signed in': 'Das Gerät ist angemeldet',
  'Go back to it: it continues in a few seconds. You can close this page.':
    'Gehen Sie zu ihm zurück: Es macht in ein paar Sekunden weiter. Sie können diese Seite schließen.',
  'The device was denied': 'Das Gerät wurde abgelehnt',
  'It does not get access. You can close this page.': 'Es bekommt keinen Zugang. Sie können diese Seite schließen.',
  // Invitations
  'Join {organization}': '{organization} beitreten',
  'You are invited to the organization `{organization}` with the role {role}. The invitation is for `{email}`.':
    'Sie sind in die Organisation `{organization}` mit der Rolle {role} eingeladen. Die Einladung ist für `{email}`.',
  owner: 'Inhaber',
  admin: 'Administrator',
  billing: 'Abrechnung',
  member: 'Mitglied',
  Accept: 'Annehmen',
  'Sign in to accept': 'Zum Annehmen anmelden',
  'Sign in with the invited address': 'Mit der eingeladenen Adresse anmelden',
  'You are signed in as `{email}`, which is another address.':
    'Sie sind als `{email}` angemeldet, das ist eine andere Adresse.',
  'The address has an account.': 'Die Adresse hat ein Konto.',
  'The address has an account by now. Sign in to accept.':
    'Die Adresse hat inzwischen ein Konto. Melden Sie sich an, um anzunehmen.',
  'Choose a name and a password to create your account.':
    'Wählen Sie einen Namen und ein Passwort, um Ihr Konto anzulegen.',
  'Create an account and join': 'Konto anlegen und beitreten',
  'This invitation is not valid': 'Diese Einladung ist nicht gültig',
  'The invitation is not valid: it was accepted, withdrawn or sent again, has expired, or is for another address.':
    'Die Einladung ist nicht gültig: Sie wurde angenommen, zurückgezogen oder noch einmal gesendet, ist abgelaufen oder ist für eine andere Adresse.',
  'Ask who invited you for another one.': 'Bitten Sie, wer Sie eingeladen hat, um eine andere.',
  'The invitation cannot be accepted': 'Die Einladung kann nicht angenommen werden',
  'You are a member of the organization already.': 'Sie sind schon Mitglied der Organisation.',
  // The sign-in of an organization
  'Continue with {organization}': 'Weiter mit {organization}',
  'Continue with your organization': 'Weiter mit Ihrer Organisation',
  '{organization} signs in the addresses of this domain at {host}.':
    '{organization} meldet die Adressen dieser Domain bei {host} an.',
  'No organization has a sign-in of its own for this address. Enter your password.':
    'Für diese Adresse hat keine Organisation eine eigene Anmeldung. Geben Sie Ihr Passwort ein.',
  'The sign-in of your organization does not answer. Try again in a moment, or ask who manages it.':
    'Die Anmeldung Ihrer Organisation antwortet nicht. Versuchen Sie es gleich noch einmal, oder fragen Sie, wer sie verwaltet.',
  'Connect your account': 'Ihr Konto verbinden',
  'The address `{email}` has an account here. Enter its password once, so that you can use it with {organization}.':
    'Die Adresse `{email}` hat hier ein Konto. Geben Sie einmal sein Passwort ein, damit Sie es mit {organization} verwenden können.',
  'From then on the sign-in of {organization} opens it for {organization} alone, and your password for everything else.':
    'Danach öffnet die Anmeldung von {organization} es nur für {organization}, und Ihr Passwort für alles andere.',
  Connect: 'Verbinden',
  'This sign-in has ended': 'Diese Anmeldung ist beendet',
  'Sign in again.': 'Melden Sie sich noch einmal an.',
  'It took too long, was used before, or began in another browser. Go back to the application and sign in again.':
    'Sie hat zu lange gedauert, wurde schon verwendet oder begann in einem anderen Browser. Gehen Sie zur Anwendung zurück, und melden Sie sich noch einmal an.',
  'The sign-in has failed': 'Die Anmeldung ist gescheitert',
  'You cannot sign in here': 'Sie können sich hier nicht anmelden',
  'Your access was ended. Ask who manages the members of the organization.':
    'Ihr Zugang wurde beendet. Fragen Sie, wer die Mitglieder der Organisation verwaltet.',
  'The provider named no confirmed address of a domain of the organization.':
    'Der Anbieter hat keine bestätigte Adresse einer Domain der Organisation genannt.',
  'Your address belongs to another person of the provider. Ask who manages the members of the organization.':
    'Ihre Adresse gehört einer anderen Person des Anbieters. Fragen Sie, wer die Mitglieder der Organisation verwaltet.',
  'You are not a member of the organization. Ask who manages its members to add you.':
    'Sie sind kein Mitglied der Organisation. Bitten Sie, wer ihre Mitglieder verwaltet, Sie hinzuzufügen.',
  'Your account is in too many organizations.': 'Ihr Konto ist in zu vielen Organisationen.',
  // Signing out
  'Sign out?': 'Abmelden?',
  'You are signed in as {email}.': 'Sie sind als {email} angemeldet.',
  'Sign out': 'Abmelden',
  'You are signed out': 'Sie sind abgemeldet',
  'You can close this page.': 'Sie können diese Seite schließen.',
} as const
