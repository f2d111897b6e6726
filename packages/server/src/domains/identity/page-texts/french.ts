import type { PageMessage } from './page-text.ts'

/** The texts of the pages in French, by their English. */
export const french: Readonly<Record<PageMessage, string>> = {
  Error: 'Erreur',
  // Signing in
  'Sign in': 'Se connecter',
  'Continue to {client}.': 'Continuer vers {client}.',
  'Continue to the Swath console.': 'Continuer vers la console Swath.',
  'Continue to the device that shows you a code.': 'Continuer vers l’appareil qui vous montre un code.',
  'Continue to your invitation.': 'Continuer vers votre invitation.',
  'Your session has ended. Sign in again to continue where you were; what was saved is kept.':
    'Votre session est terminée. Reconnectez-vous pour continuer où vous en étiez ; ce qui a été enregistré est conservé.',
  'No administrator has signed in yet. The first credentials are in the file `{file}` on the server.':
    'Aucun administrateur ne s’est encore connecté. Les premiers identifiants sont dans le fichier `{file}` sur le serveur.',
  'E-mail': 'E-mail',
  Password: 'Mot de passe',
  Name: 'Nom',
  Continue: 'Continuer',
  Save: 'Enregistrer',
  'Sign in and change the password': 'Se connecter et changer le mot de passe',
  'Sign in with a passkey': 'Se connecter avec une clé d’accès',
  'Forgot your password?': 'Mot de passe oublié ?',
  'The e-mail or the password is wrong.': 'L’adresse e-mail ou le mot de passe est incorrect.',
  'The password is wrong.': 'Le mot de passe est incorrect.',
  'Enter your e-mail address.': 'Saisissez votre adresse e-mail.',
  'Enter your password.': 'Saisissez votre mot de passe.',
  'Enter your name.': 'Saisissez votre nom.',
  'Too many failed attempts. Try again in 1 second.': 'Trop de tentatives échouées. Réessayez dans 1 seconde.',
  'Too many failed attempts. Try again in {count} seconds.':
    'Trop de tentatives échouées. Réessayez dans {count} secondes.',
  'Too many failed attempts. Try again in 1 minute.': 'Trop de tentatives échouées. Réessayez dans 1 minute.',
  'Too many failed attempts. Try again in {count} minutes.':
    'Trop de tentatives échouées. Réessayez dans {count} minutes.',
  'This page was open for too long, or your browser blocks its cookies. Please try again.':
    'Cette page est restée ouverte trop longtemps, ou votre navigateur bloque ses cookies. Veuillez réessayer.',
  'This sign-in link does not work': 'Ce lien de connexion ne fonctionne pas',
  'The application that sent you here asked to continue at an address (redirect_uri) that is not registered for it.':
    'L’application d’où vous venez veut continuer à une adresse (redirect_uri) qui n’est pas enregistrée pour elle.',
  'The application that sent you here (client_id) is not registered on this platform.':
    'L’application d’où vous venez (client_id) n’est pas enregistrée sur cette plateforme.',
  'Sign-in is not possible now': 'La connexion n’est pas possible pour le moment',
  'This form does not exist': 'Ce formulaire n’existe pas',
  'Go back and try again.': 'Revenez en arrière et réessayez.',
  // The second factor
  'Second factor': 'Second facteur',
  'Enter the code that your authenticator app shows, or a recovery code.':
    'Saisissez le code que montre votre application d’authentification, ou un code de secours.',
  'Use your passkey, or enter a recovery code.': 'Utilisez votre clé d’accès, ou saisissez un code de secours.',
  Code: 'Code',
  'Recovery code': 'Code de secours',
  'Use a passkey': 'Utiliser une clé d’accès',
  'That is wrong, or was used before. Try the next code.':
    'Il est incorrect ou a déjà été utilisé. Essayez le code suivant.',
  'Set up a second factor': 'Configurer un second facteur',
  'Your organization requires one. Scan this with an authenticator app, and enter the code that it shows.':
    'Votre organisation en exige un. Scannez ceci avec une application d’authentification, et saisissez le code qu’elle montre.',
  'Without a camera, enter this in the app: `{secret}`':
    'Sans appareil photo, saisissez ceci dans l’application : `{secret}`',
  'Set up a passkey instead': 'Configurer plutôt une clé d’accès',
  'The code is wrong. Compare the clock of the device with the time.':
    'Le code est incorrect. Comparez l’horloge de l’appareil avec l’heure.',
  'Keep these recovery codes': 'Conservez ces codes de secours',
  'Each of them replaces your second factor once, for instance if you lose the device. They are not shown again.':
    'Chacun remplace votre second facteur une fois, par exemple si vous perdez l’appareil. Ils ne seront plus affichés.',
  'I have kept them: continue': 'Je les ai conservés : continuer',
  'The passkey was not used. Try again, or choose another way.':
    'La clé d’accès n’a pas été utilisée. Réessayez, ou choisissez un autre moyen.',
  'Passkeys do not work here': 'Les clés d’accès ne fonctionnent pas ici',
  'Passkeys need a host name, and this server is reached by an IP address: browsers bind passkeys to names.':
    'Les clés d’accès ont besoin d’un nom d’hôte, et ce serveur est atteint par une adresse IP : les navigateurs lient les clés d’accès à des noms.',
  'Your browser asks for the passkey. Without a button here, this browser has no passkeys.':
    'Votre navigateur demande la clé d’accès. S’il n’y a pas de bouton ici, ce navigateur ne connaît pas les clés d’accès.',
  'Sign in with your password': 'Se connecter avec le mot de passe',
  'There is no such passkey here, or the page was open for too long. Try again.':
    'Cette clé d’accès n’existe pas ici, ou la page est restée ouverte trop longtemps. Réessayez.',
  // Passwords
  'Choose a new password': 'Choisissez un nouveau mot de passe',
  'New password': 'Nouveau mot de passe',
  'New password, again': 'Nouveau mot de passe, encore une fois',
  'Password, again': 'Mot de passe, encore une fois',
  'At least {count} characters.': 'Au moins {count} caractères.',
  'Save and continue': 'Enregistrer et continuer',
  'The password that you entered was made for you, and others may have seen it. Choose one that only you know.':
    'Le mot de passe saisi a été créé pour vous, et d’autres ont pu le voir. Choisissez-en un que vous seul connaissez.',
  'All other sessions of yours end when the new password is saved. API keys go on working.':
    'Toutes vos autres sessions sont fermées quand le nouveau mot de passe est enregistré. Les clés d’API continuent de fonctionner.',
  'All your sessions end when the new password is saved. API keys go on working.':
    'Toutes vos sessions sont fermées quand le nouveau mot de passe est enregistré. Les clés d’API continuent de fonctionner.',
  'Your password has been changed already. Sign in with the new one.':
    'Votre mot de passe a déjà été changé. Connectez-vous avec le nouveau.',
  'Choose another password than the one that you have.': 'Choisissez un autre mot de passe que celui que vous avez.',
  'The password must have at least {count} characters.': 'Le mot de passe doit avoir au moins {count} caractères.',
  'The password must have at most {count} bytes.': 'Le mot de passe doit avoir au plus {count} octets.',
  'The password must not be the e-mail address.': 'Le mot de passe ne doit pas être l’adresse e-mail.',
  'The two passwords are not equal.': 'Les deux mots de passe ne sont pas identiques.',
  'Enter the e-mail address of your account to get a link with which you choose another password.':
    'Saisissez l’adresse e-mail de votre compte pour recevoir un lien avec lequel vous choisirez un autre mot de passe.',
  'Send a link': 'Envoyer un lien',
  'Look into your e-mails': 'Consultez vos e-mails',
  'If the address has an account, an e-mail with a link is on its way. The link is valid for {count} minutes.':
    'Si l’adresse a un compte, un e-mail avec un lien est en route. Le lien est valable {count} minutes.',
  'This link is not valid': 'Ce lien n’est pas valable',
  'It was used before, or has expired, or there is a newer one.':
    'Il a déjà été utilisé, a expiré, ou il y en a un plus récent.',
  'Ask for another link': 'Demander un autre lien',
  'Your password was changed': 'Votre mot de passe a été changé',
  'All your sessions have ended. Sign in with the new password.':
    'Toutes vos sessions sont fermées. Connectez-vous avec le nouveau mot de passe.',
  // E-mail addresses
  'It was used before, has expired, or is not needed any more.':
    'Il a déjà été utilisé, a expiré ou n’est plus nécessaire.',
  'Use this e-mail address?': 'Utiliser cette adresse e-mail ?',
  'Refuse the other e-mail address?': 'Refuser l’autre adresse e-mail ?',
  'The account of `{from}` has the address `{to}` from then on, also for signing in.':
    'Le compte de `{from}` aura alors l’adresse `{to}`, aussi pour se connecter.',
  'Your account keeps the address `{from}` instead of `{to}`, or gets it back. All sessions end, and you get a link to choose another password.':
    'Votre compte garde l’adresse `{from}` au lieu de `{to}`, ou la retrouve. Toutes les sessions sont fermées, et vous recevez un lien pour choisir un autre mot de passe.',
  'Use this address': 'Utiliser cette adresse',
  'This was not me: refuse it': 'Ce n’était pas moi : refuser',
  'The address was confirmed': 'L’adresse a été confirmée',
  'Your account has it from now on.': 'C’est désormais celle de votre compte.',
  'The other address was refused': 'L’autre adresse a été refusée',
  'All sessions and personal access tokens have ended, and passkeys and authenticator apps added since the day before are removed. An e-mail with a link to choose another password is on its way to you.':
    'Toutes les sessions et tous les jetons d’accès personnels sont fermés, et les clés d’accès et applications d’authentification ajoutées depuis la veille sont supprimées. Un e-mail avec un lien pour choisir un autre mot de passe est en route vers vous.',
  'The address cannot come back': 'L’adresse ne peut pas revenir',
  'Another account has it by now. Write to the operator of this platform.':
    'Un autre compte l’a entre-temps. Écrivez à l’opérateur de cette plateforme.',
  // Consent and devices
  'Allow {program}?': 'Autoriser {program} ?',
  'Allow {program} on this device?': 'Autoriser {program} sur cet appareil ?',
  '{program} asks to act as {email}. It learns your name, your e-mail address and your organization.':
    '{program} demande à agir en tant que {email}. Il apprend votre nom, votre adresse e-mail et votre organisation.',
  '{program} asks to act as {email} in {organization}. It learns your name, your e-mail address and your organization.':
    '{program} demande à agir en tant que {email} dans {organization}. Il apprend votre nom, votre adresse e-mail et votre organisation.',
  'You will be sent to `{target}`.': 'Vous serez envoyé vers `{target}`.',
  'Within your role, it can:': 'Dans les limites de votre rôle, il peut :',
  'It then works as {email}. Within your role, it can:':
    'Il travaille alors en tant que {email}. Dans les limites de votre rôle, il peut :',
  'The program is described by `{host}`. Nobody here has checked it.':
    'Le programme est décrit par `{host}`. Personne ici ne l’a vérifié.',
  'The program has registered itself. Nobody here has checked its name.':
    'Le programme s’est enregistré lui-même. Personne ici n’a vérifié son nom.',
  'The program belongs to the organization {organization}.': 'Le programme appartient à l’organisation {organization}.',
  Organization: 'Organisation',
  'Choose one of your organizations.': 'Choisissez une de vos organisations.',
  Allow: 'Autoriser',
  Deny: 'Refuser',
  'Sign in a device': 'Connecter un appareil',
  'Enter the code that the program or device shows you.':
    'Saisissez le code que le programme ou l’appareil vous montre.',
  'Eight letters, such as WDJB-MJHT.': 'Huit lettres, par exemple WDJB-MJHT.',
  'There is no such code, or it has expired. Compare it with the one on your device, or ask for another there.':
    'Ce code n’existe pas ou a expiré. Comparez-le avec celui de votre appareil, ou demandez-en un autre là-bas.',
  'Too many wrong codes': 'Trop de codes incorrects',
  'Wait a minute, and open this page again.': 'Attendez une minute, et ouvrez à nouveau cette page.',
  'This program is not for you': 'Ce programme n’est pas pour vous',
  'It is for members of another organization, or does not exist any more.':
    'Il est pour les membres d’une autre organisation, ou n’existe plus.',
  'Sign in this device?': 'Connecter cet appareil ?',
  'The code is `{code}`. It was asked for from `{address}` at {time} UTC.':
    'Le code est `{code}`. Il a été demandé depuis `{address}` à {time} UTC.',
  'The device then works as {email}, with all your rights but those of operators, until it signs out.':
    'L’appareil travaille alors en tant que {email}, avec tous vos droits sauf ceux d’opérateur, jusqu’à ce qu’il se déconnecte.',
  'The device then works as {email}, with these rights: `{scopes}`, until it signs out.':
    'L’appareil travaille alors en tant que {email}, avec ces droits : `{scopes}`, jusqu’à ce qu’il se déconnecte.',
  'Deny it if you have not asked for this code yourself, whoever sent it to you.':
    'Refusez si vous n’avez pas demandé ce code vous-même, qui que ce soit qui vous l’ait envoyé.',
  'The device is signed in': 'L’appareil est connecté',
  'Go back to it: it continues in a few seconds. You can close this page.':
    'Retournez-y : il continue dans quelques secondes. Vous pouvez fermer cette page.',
  'The device was denied': 'L’appareil a été refusé',
  'It does not get access. You can close this page.': 'Il n’obtient pas d’accès. Vous pouvez fermer cette page.',
  // Invitations
  'Join {organization}': 'Rejoindre {organization}',
  'You are invited to the organization `{organization}` with the role {role}. The invitation is for `{email}`.':
    'Vous êtes invité dans l’organisation `{organization}` avec le rôle {role}. L’invitation est pour `{email}`.',
  owner: 'propriétaire',
  admin: 'administrateur',
  billing: 'facturation',
  member: 'membre',
  Accept: 'Accepter',
  'Sign in to accept': 'Se connecter pour accepter',
  'Sign in with the invited address': 'Se connecter avec l’adresse invitée',
  'You are signed in as `{email}`, which is another address.':
    'Vous êtes connecté en tant que `{email}`, qui est une autre adresse.',
  'The address has an account.': 'L’adresse a un compte.',
  'The address has an account by now. Sign in to accept.':
    'L’adresse a entre-temps un compte. Connectez-vous pour accepter.',
  'Choose a name and a password to create your account.':
    'Choisissez un nom et un mot de passe pour créer votre compte.',
  'Create an account and join': 'Créer un compte et rejoindre',
  'This invitation is not valid': 'Cette invitation n’est pas valable',
  'The invitation is not valid: it was accepted, withdrawn or sent again, has expired, or is for another address.':
    'L’invitation n’est pas valable : elle a été acceptée, retirée ou renvoyée, a expiré, ou est pour une autre adresse.',
  'Ask who invited you for another one.': 'Demandez-en une autre à qui vous a invité.',
  'The invitation cannot be accepted': 'L’invitation ne peut pas être acceptée',
  'You are a member of the organization already.': 'Vous êtes déjà membre de l’organisation.',
  // The sign-in of an organization
  'Continue with {organization}': 'Continuer avec {organization}',
  'Continue with your organization': 'Continuer avec votre organisation',
  '{organization} signs in the addresses of this domain at {host}.':
    '{organization} connecte les adresses de ce domaine sur {host}.',
  'No organization has a sign-in of its own for this address. Enter your password.':
    'Aucune organisation n’a sa propre connexion pour cette adresse. Saisissez votre mot de passe.',
  'The sign-in of your organization does not answer. Try again in a moment, or ask who manages it.':
    'La connexion de votre organisation ne répond pas. Réessayez dans un instant, ou demandez à qui la gère.',
  'Connect your account': 'Relier votre compte',
  'The address `{email}` has an account here. Enter its password once, so that you can use it with {organization}.':
    'L’adresse `{email}` a un compte ici. Saisissez son mot de passe une fois, pour pouvoir l’utiliser avec {organization}.',
  'From then on the sign-in of {organization} opens it for {organization} alone, and your password for everything else.':
    'Ensuite, la connexion de {organization} l’ouvre pour {organization} seulement, et votre mot de passe pour tout le reste.',
  Connect: 'Relier',
  'This sign-in has ended': 'Cette connexion est terminée',
  'Sign in again.': 'Connectez-vous à nouveau.',
  'It took too long, was used before, or began in another browser. Go back to the application and sign in again.':
    'Elle a pris trop de temps, a déjà été utilisée, ou a commencé dans un autre navigateur. Retournez à l’application et connectez-vous à nouveau.',
  'The sign-in has failed': 'La connexion a échoué',
  'You cannot sign in here': 'Vous ne pouvez pas vous connecter ici',
  'Your access was ended. Ask who manages the members of the organization.':
    'Votre accès a été fermé. Demandez à qui gère les membres de l’organisation.',
  'The provider named no confirmed address of a domain of the organization.':
    'Le fournisseur n’a nommé aucune adresse confirmée d’un domaine de l’organisation.',
  'Your address belongs to another person of the provider. Ask who manages the members of the organization.':
    'Votre adresse appartient à une autre personne du fournisseur. Demandez à qui gère les membres de l’organisation.',
  'You are not a member of the organization. Ask who manages its members to add you.':
    'Vous n’êtes pas membre de l’organisation. Demandez à qui gère ses membres de vous ajouter.',
  'Your account is in too many organizations.': 'Votre compte est dans trop d’organisations.',
  // Signing out
  'Sign out?': 'Se déconnecter ?',
  'You are signed in as {email}.': 'Vous êtes connecté en tant que {email}.',
  'Sign out': 'Se déconnecter',
  'You are signed out': 'Vous êtes déconnecté',
  'You can close this page.': 'Vous pouvez fermer cette page.',
}
