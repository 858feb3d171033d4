/** The message with which a password link is sent to its person, by the page as a text to copy or by mail. */
export const PASSWORD_LINK_MESSAGES = {
  en: 'Set your password for {service} here: {url}\nThe link works once, until {time}. Your name to sign in: {name}',
  de: 'Legen Sie hier Ihr Passwort für {service} fest: {url}\nDer Link funktioniert einmal, bis {time}. Ihr Name zum Anmelden: {name}',
  fr: 'Choisissez ici votre mot de passe pour {service} : {url}\nLe lien fonctionne une seule fois, jusqu’au {time}. Votre nom pour vous connecter : {name}',
  es: 'Elija aquí su contraseña para {service}: {url}\nEl enlace funciona una sola vez, hasta el {time}. Su nombre para iniciar sesión: {name}',
  pt: 'Defina aqui sua senha para {service}: {url}\nO link funciona uma única vez, até {time}. Seu nome para entrar: {name}',
} as const;
