import type { NotificationTexts } from './notification-texts.ts'

export const french: NotificationTexts = {
  intlLocale: 'fr',
  kinds: {
    alert: {
      title: 'Alerte : {rule_name}',
      body: 'La valeur ({statistic}) de {expression} est {value} ; la règle se déclenche lorsqu’elle est {comparison} {threshold}.',
      description: 'Une règle d’alerte qui a ce canal s’est déclenchée.',
    },
    'order.fulfilled': {
      title: 'Commande livrée',
      body: '« {entity_name} » a été livrée en entier ; {creditsCaptured} crédits ont été débités.',
      description: 'Une commande a été livrée.',
    },
    'order.failed': {
      title: 'Échec de la commande',
      body: '« {entity_name} » a échoué et {creditsRefunded} crédits ont été libérés. {failureReason}',
      description: 'Une commande a échoué définitivement.',
    },
    'order.cancelled': {
      title: 'Commande annulée',
      body: '« {entity_name} » a été annulée ; {creditsCaptured} crédits ont été débités.',
      description: 'Une commande a été annulée.',
    },
    'feasibility.answered': {
      title: 'Étude de faisabilité disponible',
      body: 'L’étude pour « {entity_name} » est disponible. Décidez avant le {decideBy}.',
      description: 'Une étude de faisabilité attend une décision.',
    },
    'quotation.requested': {
      title: 'Devis disponible',
      body: 'Le prix de « {entity_name} » est de {creditsPrice} crédits. Décidez avant le {decideBy}.',
      description: 'Un devis attend une décision.',
    },
    'saved_search.matched': {
      title: 'Nouvelles scènes : {name}',
      body: 'La recherche enregistrée a de nouvelles scènes chez {source_id} : {scene_ids}.',
      description: 'Une recherche enregistrée a de nouvelles scènes.',
    },
    'standing_order.proposed': {
      title: 'Scène proposée pour {credits} crédits',
      body: 'La commande permanente propose la scène {scene_id} de {source_id}. {reason}',
      description: 'Une commande permanente propose une scène.',
    },
    'standing_order.cap_reached': {
      title: 'Commande permanente à son plafond',
      body: 'Elle a utilisé {month_credits} crédits sur {max_credits_per_month} et s’arrête jusqu’au {until}.',
      description: 'Une commande permanente a atteint son plafond du mois.',
    },
    'standing_order.suspended': {
      title: 'Commande permanente suspendue',
      body: '{reason}',
      description: 'Une commande permanente a été suspendue.',
    },
    'report.delivered': {
      title: 'Rapport : {name}',
      body: 'Le rapport périodique du {from} au {to} est prêt. Ses fichiers sont joints s’ils ne sont pas trop grands ; ils sont conservés 90 jours.',
      description: 'Un rapport périodique a été produit.',
    },
    'upload.completed': {
      title: 'Import terminé',
      body: 'L’import est terminé. Fichiers refusés : {refused_count}.',
      description: 'Un import est terminé.',
    },
    'credits.low_balance': {
      title: 'Solde bas',
      body: 'Il reste {available_credits} crédits ; le seuil est de {threshold_credits}.',
      description: 'Les crédits sont passés sous leur seuil.',
    },
    'credits.depleted': {
      title: 'Plus de crédits',
      body: 'Les commandes et les traitements s’arrêtent jusqu’à l’achat de crédits.',
      description: 'Il ne reste plus de crédits.',
    },
    'credits.expiring': {
      title: 'Des crédits expirent bientôt',
      body: '{available_credits} crédits expirent le {expires_at}.',
      description: 'Des crédits sont sur le point d’expirer.',
    },
    'topup.failed': {
      title: 'Rechargement refusé',
      body: 'Le rechargement a été refusé : {reason}.',
      description: 'Un rechargement a été refusé.',
    },
    'payment_method.expiring': {
      title: 'Une carte expire bientôt',
      body: 'La carte qui se termine par {last4} ({brand}) expire en {exp_month}/{exp_year}.',
      description: 'Une carte est sur le point d’expirer.',
    },
    'dispute.opened': {
      title: 'Paiement contesté',
      body: 'Un paiement de {aud} AUD est contesté ; {held_credits} crédits sont réservés.',
      description: 'Le titulaire d’une carte a contesté un paiement.',
    },
    'invoice.issued': {
      title: 'Facture {number}',
      body: 'La facture pour {period} est de {total_aud} AUD, à payer avant le {due_at}.',
      description: 'La facture d’un mois a été émise.',
    },
    'event_subscription.failing': {
      title: 'Un point de terminaison de webhook échoue',
      body: 'Depuis le {failing_since}, aucun envoi de {event_type} à {endpoint_url} n’a réussi. Il sera désactivé le {disables_at}.',
      description: 'Un point de terminaison de webhook échoue depuis un jour.',
    },
    'event_subscription.disabled': {
      title: 'Webhook désactivé',
      body: 'L’abonnement à {event_type} vers {endpoint_url} a été désactivé : {reason}.',
      description: 'Un abonnement de webhook a été désactivé.',
    },
    'invitation.accepted': {
      title: '{email} a rejoint l’organisation',
      body: 'L’invitation avec le rôle {role} a été acceptée.',
      description: 'Une personne invitée a rejoint l’organisation.',
    },
    'ownership.transferred': {
      title: 'L’organisation appartient désormais à {email}',
      body: '{former_owner_email} a transmis l’organisation et en reste admin.',
      description: 'L’organisation a un autre propriétaire.',
    },
    'support_access.requested': {
      title: '{operator_email} demande un accès de support',
      body: '{reason} Un propriétaire peut l’accorder pour un temps, ou le refuser.',
      description: 'Un opérateur de la plateforme demande à lire dans l’organisation.',
    },
    'delegations.stopped': {
      title: '{delegations} clés, liens ou planifications se sont arrêtés',
      body: '{message} Un propriétaire ou un admin peut reprendre ce qui doit continuer.',
      description:
        'Des clés, liens, webhooks ou planifications se sont arrêtés parce que leur auteur ne peut plus agir.',
    },
  },
  words: {
    comparison: {
      gt: 'au-dessus de',
      gte: 'd’au moins',
      lt: 'au-dessous de',
      lte: 'd’au plus',
      eq: 'égale à',
      neq: 'autre que',
      between: 'dans une plage à partir de',
      outside: 'hors d’une plage à partir de',
    },
    reason: {
      failing: 'ses envois ont échoué trop longtemps',
      gone: 'le point de terminaison a répondu qu’il n’existe plus',
      stopped: 'trop de refus de suite',
    },
  },
  mail: {
    several: '{count} notifications',
    membership: 'Vous recevez cet e-mail en tant que membre de {organization}.',
    open: 'Ouvrir dans Swath',
    end: 'Ne plus recevoir ces e-mails',
  },
  page: {
    ask: 'Ne plus recevoir ces e-mails ?',
    askBody: 'Vous recevez un e-mail lorsque : {description}',
    digest: 'Le résumé quotidien.',
    done: 'Vous ne recevez plus ces e-mails',
    doneBody: 'Les notifications restent dans la console, où vous pouvez les choisir de nouveau.',
    invalid: 'Ce lien n’est pas valable',
    invalidBody: 'Copiez le lien entier de l’e-mail, ou choisissez vos e-mails dans la console.',
  },
}
