// Generated from /openapi.json by `npm run docs`. Do not edit.

export interface paths {
    "/l/{shortCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open a link
         * @description Records the attempt durably before it responds, unless a limit refuses it. HEAD and a GET with `Sec-Purpose`, `Purpose` or `X-Moz: prefetch`, or `X-Purpose: preview`, return the status without spending a view. So does a GET of a link with `confirm`, `senderName` or `message`, of a text, or by a browser of an encrypted file: it returns a confirmation page unless the request accepts JSON or sends a password. A text without these terms is also sent to a program of a command line, and to one that accepts `text/plain` alone. A GET of a file request returns what it asks for. A link with `forwardPath` also opens with a path after the short code.
         */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description For protected links */
                    "X-Link-Password"?: string;
                    /** @description `application/json` returns the target as JSON instead of a redirect */
                    Accept?: string;
                    /** @description Returned and logged with the request; generated if missing */
                    "X-Correlation-Id"?: string;
                };
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The target as JSON, the text, also on a page, the file, what a file request asks for, or the confirmation page */
                200: {
                    headers: {
                        /** @description The SHA-256 of the file (RFC 9530) */
                        "Repr-Digest"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "text/html": string;
                        "application/json": components["schemas"]["Resolution"] | components["schemas"]["OpenRequest"];
                        "text/plain": string;
                        "application/octet-stream": string;
                    };
                };
                /** @description A part of the file: with `Range`, of a download that is continued */
                206: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": string;
                    };
                };
                /** @description The target or the `fallbackUrl` is in the header Location */
                302: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description For a browser, the page of several files, or of one that it shows, is in the header Location */
                303: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401OrPage"];
                403: components["responses"]["Error403OrPage"];
                404: components["responses"]["Error404OrPage"];
                410: components["responses"]["Error410OrPage"];
                412: components["responses"]["Error412OrPage"];
                416: components["responses"]["Error416OrPage"];
                428: components["responses"]["Error428OrPage"];
                429: components["responses"]["Error429OrPage"];
                500: components["responses"]["Error500OrPage"];
                503: components["responses"]["Error503OrPage"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        /**
         * Open a link from a form
         * @description The request that the visitor pages send: the same checks as for GET, with the password in a form. A form from a page of another origin is refused.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/x-www-form-urlencoded": components["schemas"]["VisitForm"];
                };
            };
            responses: {
                /** @description The target as JSON, the text, also on a page, the file, what a file request asks for, or the confirmation page */
                200: {
                    headers: {
                        /** @description The SHA-256 of the file (RFC 9530) */
                        "Repr-Digest"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "text/html": string;
                        "application/json": components["schemas"]["Resolution"] | components["schemas"]["OpenRequest"] | components["schemas"]["DryRun"];
                        "text/plain": string;
                        "application/octet-stream": string;
                    };
                };
                /** @description Where to go on is in the header Location */
                303: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400OrPage"];
                401: components["responses"]["Error401OrPage"];
                403: components["responses"]["Error403OrPage"];
                404: components["responses"]["Error404OrPage"];
                410: components["responses"]["Error410OrPage"];
                413: components["responses"]["Error413OrPage"];
                415: components["responses"]["Error415OrPage"];
                429: components["responses"]["Error429OrPage"];
                500: components["responses"]["Error500OrPage"];
                503: components["responses"]["Error503OrPage"];
                default: components["responses"]["CommonError"];
            };
        };
        /** Revoke a link for good */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{shortCode}/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what arrived with a file request
         * @description The links of the submitted files to which the client has the right, the newest first. Those to a former short code of the request are listed under that.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    /** @description `next` of the page before */
                    cursor?: string;
                };
                header?: never;
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkPage"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        /**
         * Send files to a file request
         * @description Counts as a view of the file request. The files get a link of their own, which belongs to those who hold the request; the sender gets a receipt with their digests. Refused as an attempt to open the link would be. The page of the link sends the same form to the address of the link, and gets pages. JSON with an `uploadId` submits an upload that was sent to `/l/{shortCode}/uploads`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["SubmissionForm"];
                    "application/json": components["schemas"]["SubmissionForm"];
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Receipt"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                410: components["responses"]["Error410"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                423: components["responses"]["Error423"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                507: components["responses"]["Error507"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{shortCode}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an upload that can be resumed
         * @description tus 1.0, for which there are clients in most languages; or, with JSON, several files of one link. Send the bytes with PATCH to the Location, and create the link with its `uploadId` at POST /api/links. A sender of a file request submits the `uploadId` at POST /l/{shortCode} or /api/links/{shortCode}/submissions instead. An upload that is not continued for a day is removed.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The size of the file */
                    "Upload-Length"?: number;
                    /** @description `filename` and its base64, as tus defines it */
                    "Upload-Metadata"?: string;
                };
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AnnouncedFiles"];
                };
            };
            responses: {
                /** @description The upload */
                201: {
                    headers: {
                        /** @description Its address */
                        Location?: string;
                        /** @description When it is removed at the latest, unless it is continued or gets a link */
                        "Upload-Expires"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Upload"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                410: components["responses"]["Error410"];
                412: components["responses"]["Error412"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                507: components["responses"]["Error507"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{shortCode}/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an upload */
        delete: {
            parameters: {
                query?: never;
                header: {
                    "Tus-Resumable": "1.0.0";
                };
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                    uploadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                412: components["responses"]["Error412"];
                423: components["responses"]["Error423"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        options?: never;
        head?: never;
        /**
         * Add bytes to an upload
         * @description What arrived before the line broke counts: HEAD returns from where to continue, at any instance. Proxies may refuse bodies that are larger than `upload.chunkBytes` of the settings.
         */
        patch: {
            parameters: {
                query?: never;
                header: {
                    "Tus-Resumable": "1.0.0";
                    /** @description How many bytes precede these */
                    "Upload-Offset": number;
                };
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                    uploadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The bytes are durable */
                204: {
                    headers: {
                        /** @description When it is removed at the latest, unless it is continued or gets a link */
                        "Upload-Expires"?: string;
                        /** @description So many bytes have arrived, and are durable */
                        "Upload-Offset"?: number;
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                410: components["responses"]["Error410"];
                412: components["responses"]["Error412"];
                415: components["responses"]["Error415"];
                423: components["responses"]["Error423"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                507: components["responses"]["Error507"];
                default: components["responses"]["CommonError"];
            };
        };
        trace?: never;
    };
    "/api/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List and search links
         * @description The newest first. Without the scope `read`, only links of the caller and of the teams of the caller. A search examines a bounded number of links: a page may have fewer items than `limit`, also none, and still a `next`. Without the scope `manage`, the targets and files of links of others are neither shown nor searched.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Words, each the beginning of one in the label, tags, recipient, target, file name or message of a file request, or of the short code */
                    search?: string;
                    /** @description Links in these states, with commas between: ACTIVE, SCHEDULED, PAUSED, EXPIRED, USED_UP, REVOKED */
                    state?: string;
                    /** @description To what the link leads: a URL, a file, or a form that asks visitors for files */
                    type?: "REDIRECT" | "DOWNLOAD" | "REQUEST";
                    /** @description Links with exactly this label */
                    label?: string;
                    /** @description Links with this tag */
                    tag?: string;
                    /** @description The name of the person or the key that owns the link */
                    owner?: string;
                    /** @description What owns the link: `ANONYMOUS` if a client without credentials created it */
                    ownerKind?: "KEY" | "USER" | "ANONYMOUS" | "COMMAND";
                    /** @description The name of the team that the link is shared with */
                    team?: string;
                    /** @description Only links that the caller owns */
                    mine?: boolean;
                    /** @description Only links whose files did not arrive with a file request */
                    withoutReceived?: boolean;
                    /** @description Start of the range (included), an instant or a UTC date */
                    start?: string;
                    /** @description End of the range (excluded), an instant or a UTC date */
                    end?: string;
                    /** @description `views` and `opened` rank the 1,000 newest links that match, among up to 20,000 examined, and leading ones of all. Other links are left out */
                    sort?: "created" | "views" | "opened";
                    /** @description `asc` with `views` or `opened` orders only the links that are ranked: others with fewer views, or opened longer ago, may be missing */
                    order?: "desc" | "asc";
                    limit?: number;
                    /** @description `next` of the page before */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkPage"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        /**
         * Create a link to a URL, a text or an upload, or a file request
         * @description An optional member that is null or an empty text counts as absent, but for the `maxViews` of a text.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Up to 255 visible ASCII characters that no other request has, such as a UUID. A repeat within 24 hours of a creation creates nothing, and gets the first response with `Idempotency-Replayed: true`, without the token of the link and the secret of its webhooks. Unless `app.secret` is set, and the client sends an API key or has signed in, a repeat may have another password or text, which changes nothing */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkRequest"];
                };
            };
            responses: {
                /** @description The link. Its own token is in the header X-Link-Token, in this response only, and the fingerprint of its creation in X-Link-Fingerprint */
                201: {
                    headers: {
                        /** @description The names of unknown fields, percent-encoded, with commas between */
                        "X-Ignored-Fields"?: string;
                        /** @description The token of this link; a repeated response lacks it */
                        "X-Link-Token"?: string;
                        /** @description The fingerprint of the history, whose only entry is the creation */
                        "X-Link-Fingerprint"?: string;
                        /** @description The SHA-256 of an uploaded file, 64 hexadecimal digits */
                        "X-Link-File-SHA256"?: string;
                        /** @description With a notifyUrl: the secret that verifies its webhooks, whsec_ and base64; absent where the token is */
                        "X-Link-Webhook-Secret"?: string;
                        /** @description `true` if an earlier request created the link */
                        "Idempotency-Replayed"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Link"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                422: components["responses"]["Error422"];
                423: components["responses"]["Error423"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                507: components["responses"]["Error507"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a link to an uploaded file */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Up to 255 visible ASCII characters that no other request has, such as a UUID. A repeat within 24 hours of a creation creates nothing, and gets the first response with `Idempotency-Replayed: true`, without the token of the link and the secret of its webhooks. Unless `app.secret` is set, and the client sends an API key or has signed in, a repeat may have another password or text, which changes nothing */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["UploadForm"];
                };
            };
            responses: {
                /** @description The link. Its own token is in the header X-Link-Token, in this response only, and the fingerprint of its creation in X-Link-Fingerprint */
                201: {
                    headers: {
                        /** @description The names of unknown fields, percent-encoded, with commas between */
                        "X-Ignored-Fields"?: string;
                        /** @description The token of this link; a repeated response lacks it */
                        "X-Link-Token"?: string;
                        /** @description The fingerprint of the history, whose only entry is the creation */
                        "X-Link-Fingerprint"?: string;
                        /** @description The SHA-256 of an uploaded file, 64 hexadecimal digits */
                        "X-Link-File-SHA256"?: string;
                        /** @description With a notifyUrl: the secret that verifies its webhooks, whsec_ and base64; absent where the token is */
                        "X-Link-Webhook-Secret"?: string;
                        /** @description `true` if an earlier request created the link */
                        "Idempotency-Replayed"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Link"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                409: components["responses"]["Error409"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                422: components["responses"]["Error422"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                507: components["responses"]["Error507"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an upload that can be resumed
         * @description tus 1.0, for which there are clients in most languages; or, with JSON, several files of one link. Send the bytes with PATCH to the Location, and create the link with its `uploadId` at POST /api/links. A sender of a file request submits the `uploadId` at POST /l/{shortCode} or /api/links/{shortCode}/submissions instead. An upload that is not continued for a day is removed.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The size of the file */
                    "Upload-Length"?: number;
                    /** @description `filename` and its base64, as tus defines it */
                    "Upload-Metadata"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AnnouncedFiles"];
                };
            };
            responses: {
                /** @description The upload */
                201: {
                    headers: {
                        /** @description Its address */
                        Location?: string;
                        /** @description When it is removed at the latest, unless it is continued or gets a link */
                        "Upload-Expires"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Upload"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                412: components["responses"]["Error412"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                507: components["responses"]["Error507"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an upload */
        delete: {
            parameters: {
                query?: never;
                header: {
                    "Tus-Resumable": "1.0.0";
                };
                path: {
                    uploadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                412: components["responses"]["Error412"];
                423: components["responses"]["Error423"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        options?: never;
        head?: never;
        /**
         * Add bytes to an upload
         * @description What arrived before the line broke counts: HEAD returns from where to continue, at any instance. Proxies may refuse bodies that are larger than `upload.chunkBytes` of the settings.
         */
        patch: {
            parameters: {
                query?: never;
                header: {
                    "Tus-Resumable": "1.0.0";
                    /** @description How many bytes precede these */
                    "Upload-Offset": number;
                };
                path: {
                    uploadId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The bytes are durable */
                204: {
                    headers: {
                        /** @description When it is removed at the latest, unless it is continued or gets a link */
                        "Upload-Expires"?: string;
                        /** @description So many bytes have arrived, and are durable */
                        "Upload-Offset"?: number;
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                412: components["responses"]["Error412"];
                415: components["responses"]["Error415"];
                423: components["responses"]["Error423"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                507: components["responses"]["Error507"];
                default: components["responses"]["CommonError"];
            };
        };
        trace?: never;
    };
    "/api/links/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create up to 1,000 links to URLs
         * @description Each item is handled as if it were sent alone, and has its own result, in the order of the items. The body has at most 4 MB. With an Idempotency-Key, a repeat creates only links that the first request did not create
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Up to 255 visible ASCII characters that no other request has, such as a UUID. A repeat within 24 hours of a creation creates nothing, and gets the first response with `Idempotency-Replayed: true`, without the token of the link and the secret of its webhooks. Unless `app.secret` is set, and the client sends an API key or has signed in, a repeat may have another password or text, which changes nothing */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BulkResults"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                409: components["responses"]["Error409"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                422: components["responses"]["Error422"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{shortCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe a link without opening it
         * @description Spends no view and writes no audit record. The target, a text, the file of a link with a password or `verifiedRecipients`, `senderName`, `message`, `shownBeforePassword`, `notifyEmail`, `notifyUrl`, `fallbackUrl`, `forwardPath`, `forwardQuery` are shown only to those who may change the link.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkDescription"];
                    };
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        /** Revoke a link for good */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        options?: never;
        head?: never;
        /**
         * Change the terms of a link
         * @description A merge patch (RFC 7396): a member that is absent keeps its term, and null removes it; an empty text is refused. Views stay counted: a maxViews below them becomes their number and ends the link. A link that has ended opens again when its end is moved; a revoked one does not.
         */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The ETag of the link as the client knows it; with another version: 412 */
                    "If-Match"?: string;
                };
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/merge-patch+json": components["schemas"]["LinkPatch"];
                    "application/json": components["schemas"]["LinkPatch"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkDescription"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                412: components["responses"]["Error412"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        trace?: never;
    };
    "/api/links/{shortCode}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a link without opening it
         * @description In the order of their bytes, so that the `firstByte` of a download says which file it sent. Empty for a link without files, and without the right to see them.
         */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    /** @description `next` of the page before */
                    cursor?: string;
                };
                header?: never;
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FileList"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{shortCode}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Draw the QR code of a link
         * @description The code has the short link alone, never its target. Spends no view and writes no audit record.
         */
        get: {
            parameters: {
                query?: {
                    format?: "svg" | "png";
                    /** @description The width and height in pixels. A PNG has whole pixels for each module: it may be smaller */
                    size?: number;
                };
                header?: never;
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The image */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/svg+xml": string;
                        "image/png": string;
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{shortCode}/short-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the short code of a link
         * @description A new link continues the former one: with its terms, its token, its file and the views that are left. The former one is revoked. Each history names the other, the new one with the fingerprint of the former. Webhooks of the link get a new secret, in the header X-Link-Webhook-Secret. A repeat with the same customCode changes nothing.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The ETag of the link as the client knows it; with another version: 412 */
                    "If-Match"?: string;
                };
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewShortCode"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkDescription"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                412: components["responses"]["Error412"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{shortCode}/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a link to its recipient
         * @description The service sends the mail in the name of the person who has signed in, in the language of Accept-Language. It has the address and the limits of the link, and neither its password nor the key of what is encrypted. The history says to whom.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MailRecipient"];
                };
            };
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{shortCode}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the file of a link
         * @description The link keeps its address, its terms and its views. Visitors get the new file from now on; downloads that have begun end with the old one. The history names both. JSON names an upload of POST /api/uploads instead of sending the file, which may be larger then. With `keep`, files of the link stay: this adds files, and JSON without an upload removes the others. A change in the meantime gets 412.
         */
        put: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The ETag of the link as the client knows it; with another version: 412 */
                    "If-Match"?: string;
                };
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["FileForm"];
                    "application/json": components["schemas"]["FileForm"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkDescription"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                412: components["responses"]["Error412"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                422: components["responses"]["Error422"];
                423: components["responses"]["Error423"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                507: components["responses"]["Error507"];
                default: components["responses"]["CommonError"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{shortCode}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the history of a link
         * @description Who created, changed, opened, tried to open and revoked the link, newest first, by number. A page may have fewer items than `limit`, also none, before the end.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Attempts with these results, with commas between */
                    result?: string;
                    /** @description Start of the range (included), an instant or a UTC date */
                    start?: string;
                    /** @description End of the range (excluded), an instant or a UTC date */
                    end?: string;
                    /** @description The IP address of the visitor, or of the author of a change */
                    address?: string;
                    limit?: number;
                    /** @description `next` of the page before */
                    cursor?: string;
                };
                header?: {
                    /** @description `text/csv` or `application/x-ndjson` returns all entries that match, as a stream */
                    Accept?: string;
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page as JSON, or all entries as CSV or NDJSON */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HistoryPage"];
                        "application/x-ndjson": string;
                        "text/csv": string;
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the history of all links
         * @description The same entries, also attempts on short codes that no link has, newest first in the order of their commits. Pages are as those of a link.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The short code of a link, or any other text that was requested as one, also the empty one */
                    code?: string;
                    /** @description Attempts with these results, with commas between */
                    result?: string;
                    /** @description Start of the range (included), an instant or a UTC date */
                    start?: string;
                    /** @description End of the range (excluded), an instant or a UTC date */
                    end?: string;
                    /** @description The IP address of the visitor, or of the author of a change */
                    address?: string;
                    limit?: number;
                    /** @description `next` of the page before */
                    cursor?: string;
                };
                header?: {
                    /** @description `text/csv` or `application/x-ndjson` returns all entries that match, as a stream */
                    Accept?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page as JSON, or all entries as CSV or NDJSON */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditPage"];
                        "application/x-ndjson": string;
                        "text/csv": string;
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the newest checkpoint of the log
         * @description A signed note, see https://c2sp.org/tlog-checkpoint; its page for a browser. With `from`, the proof that a later checkpoint continues the one with so many entries (RFC 6962).
         */
        get: {
            parameters: {
                query?: {
                    /** @description The number of entries of the smaller checkpoint */
                    from?: number;
                    /** @description That of the greater one; without it, the newest */
                    to?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A text */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                        "text/html": string;
                    };
                };
                400: components["responses"]["Error400"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/checkpoint/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the key of the log
         * @description Keep it with a checkpoint. In the form of https://c2sp.org/signed-note.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A text */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                404: components["responses"]["Error404"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/{shortCode}/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the checkpoint of a link
         * @description With the proof that it has an entry of the link; null where there is none.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
                    shortCode: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkCheckpoint"];
                    };
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/checkpoint-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give the log a new key, which the old one signs */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewLogKey"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LogKey"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                409: components["responses"]["Error409"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke up to 1,000 links for good
         * @description Each link needs its token, its owner or a member of its team, or a key with the scope `manage`, with `app.access=open` too. Each has its own result; `not-allowed` says nothing about whether the link exists. Beyond the limit of unknown codes (each `not-found`, and without a key or sign-in each `not-allowed`), the rest are `not-tried`. Retry-After says when to send them again
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RevokeRequest"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RevokeResults"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/access/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Totals, ratios in percent, and unique client addresses */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), ISO 8601 with an offset */
                    start?: string;
                    /** @description End of the range (excluded), ISO 8601 with an offset */
                    end?: string;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccessSummary"];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/access-summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as /api/stats/access/summary */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), ISO 8601 with an offset */
                    start?: string;
                    /** @description End of the range (excluded), ISO 8601 with an offset */
                    end?: string;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccessSummary"];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/access/hourly": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attempts by hour of the day. With `zone`, of the whole hours that begin within the range */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), ISO 8601 with an offset */
                    start?: string;
                    /** @description End of the range (excluded), ISO 8601 with an offset */
                    end?: string;
                    /** @description The time zone of the days and hours, such as Europe/Berlin; without it UTC. Attempts are counted by whole hours of UTC: each counts for the day and the hour of the zone in which it begins */
                    zone?: string;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HourlyBucket"][];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/hourly-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as /api/stats/access/hourly */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), ISO 8601 with an offset */
                    start?: string;
                    /** @description End of the range (excluded), ISO 8601 with an offset */
                    end?: string;
                    /** @description The time zone of the days and hours, such as Europe/Berlin; without it UTC. Attempts are counted by whole hours of UTC: each counts for the day and the hour of the zone in which it begins */
                    zone?: string;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HourlyBucket"][];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/access/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attempts by date, in UTC */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), an instant or a UTC date */
                    start?: string;
                    /** @description End of the range (excluded), an instant or a UTC date */
                    end?: string;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DailyBucket"][];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/daily-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as /api/stats/access/daily */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), an instant or a UTC date */
                    start?: string;
                    /** @description End of the range (excluded), an instant or a UTC date */
                    end?: string;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DailyBucket"][];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/access/over-time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attempts over time: each hour or day of the range that has attempts */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), an instant or a date of the zone */
                    start?: string;
                    /** @description End of the range (excluded), an instant or a date of the zone */
                    end?: string;
                    /** @description Length of each period */
                    unit?: "hour" | "day";
                    /** @description The time zone of the days and hours, such as Europe/Berlin; without it UTC. Attempts are counted by whole hours of UTC: each counts for the day and the hour of the zone in which it begins */
                    zone?: string;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Period"][];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/access/by-result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attempts by result */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), ISO 8601 with an offset */
                    start?: string;
                    /** @description End of the range (excluded), ISO 8601 with an offset */
                    end?: string;
                    /** @description Lists PREVIEW and PREVIEW_INVALID_PASSWORD as well */
                    previews?: boolean;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResultCount"][];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/access-by-result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as /api/stats/access/by-result */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), ISO 8601 with an offset */
                    start?: string;
                    /** @description End of the range (excluded), ISO 8601 with an offset */
                    end?: string;
                    /** @description Lists PREVIEW and PREVIEW_INVALID_PASSWORD as well */
                    previews?: boolean;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResultCount"][];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/access/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attempts by result, without the successful ones */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), ISO 8601 with an offset */
                    start?: string;
                    /** @description End of the range (excluded), ISO 8601 with an offset */
                    end?: string;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ResultCount"][];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Links by status */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkStatusCounts"];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/link-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as /api/stats/links */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkStatusCounts"];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/links/sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Links created in the range, without those of received files, and whether they were ever opened */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), ISO 8601 with an offset */
                    start?: string;
                    /** @description End of the range (excluded), ISO 8601 with an offset */
                    end?: string;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SentLinks"];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/links/top": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The most opened links, by views */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TopLink"][];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/security/exceptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The links with the most wrong passwords */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SecurityException"][];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/referrers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The hosts of the pages from which links were opened, by views, among the newest 50,000 entries */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), ISO 8601 with an offset */
                    start?: string;
                    /** @description End of the range (excluded), ISO 8601 with an offset */
                    end?: string;
                    limit?: number;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Referrers"];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The browsers and operating systems that opened links, by views, among the newest 50,000 entries */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), ISO 8601 with an offset */
                    start?: string;
                    /** @description End of the range (excluded), ISO 8601 with an offset */
                    end?: string;
                    limit?: number;
                };
                header?: {
                    /** @description The ETag of the response that the client has */
                    "If-None-Match"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Devices"];
                    };
                };
                /** @description Nothing has changed since then */
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actuator/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health of the service, by component */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The health document; its page for a browser */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
                        "text/html": string;
                    };
                };
                401: components["responses"]["Error401"];
                500: components["responses"]["Error500"];
                /** @description The health document; its page for a browser */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
                        "text/html": string;
                    };
                };
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actuator/health/liveness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness: the database */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The health document; its page for a browser */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
                        "text/html": string;
                    };
                };
                500: components["responses"]["Error500"];
                /** @description The health document; its page for a browser */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
                        "text/html": string;
                    };
                };
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actuator/health/readiness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Readiness to serve requests: all components */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The health document; its page for a browser */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
                        "text/html": string;
                    };
                };
                500: components["responses"]["Error500"];
                /** @description The health document; its page for a browser */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
                        "text/html": string;
                    };
                };
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/actuator/prometheus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics in the text exposition format */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your sessions */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Sessions"];
                    };
                };
                401: components["responses"]["Error401"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        /**
         * Sign in with name and password
         * @description Sets the cookie of a new session. Only pages need it: programs send an API key.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set your password
         * @description With the present one, or with the secret of a link that sets it once. Ends all other sessions.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPassword"];
                };
            };
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                410: components["responses"]["Error410"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show whose password a link sets */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkSecret"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PasswordLinkOwner"];
                    };
                };
                400: components["responses"]["Error400"];
                403: components["responses"]["Error403"];
                410: components["responses"]["Error410"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import links of another service, with their short codes, creation times and views
         * @description Times and numbers are texts, as the source has them; the result says what could not be kept. The body has at most 4 MB and 1,000 items. A repeat imports only what is missing. Needs the scopes create and manage, too.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkImport"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportResults"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All people */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PersonList"];
                    };
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        /**
         * Add a person
         * @description Send the address to the person, who sets a password there: once, within 24 hours.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPerson"];
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AddedPerson"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                409: components["responses"]["Error409"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/people/names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The names of active people, to choose the owner of a link */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PeopleNames"];
                    };
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/people/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change, deactivate or reactivate a person
         * @description An absent member stays. A deactivation ends all sessions and keys of the person, and passes the links on, in one transaction. The last active person with the scope admin keeps it.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PersonPatch"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Person"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        trace?: never;
    };
    "/api/people/{name}/password-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link with which a person sets a password
         * @description It replaces the one before. The present password stays valid until the person has set another.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PasswordLink"];
                    };
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/people/{name}/password-link/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a password link to its person
         * @description Mails the link that was made last to the address of the person, in the language of Accept-Language. Responds when the mail server has taken the mail. The link stays as it is, so it can be sent in another way, too.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkSecret"];
                };
            };
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                410: components["responses"]["Error410"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                429: components["responses"]["Error429"];
                500: components["responses"]["Error500"];
                502: components["responses"]["Error502"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your teams; all teams with the scope admin */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TeamList"];
                    };
                };
                401: components["responses"]["Error401"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        /** Add a team */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewTeam"];
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Team"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                409: components["responses"]["Error409"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/teams/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a team with which no link is shared */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        options?: never;
        head?: never;
        /**
         * Rename a team, or replace its members
         * @description A new name is an entry in the history of each link that is shared with the team.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TeamPatch"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Team"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your API keys; all with the scope admin */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKeys"];
                    };
                };
                401: components["responses"]["Error401"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        /**
         * Create an API key
         * @description Of your own, with scopes that you have. The key of another person or of a service needs the scope admin, and so does every request with a key, which gives only scopes that it has.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedApiKey"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                409: components["responses"]["Error409"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Your own; any with the scope admin. Instances may accept it for some more seconds.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase the personal data of an address, a link or a recipient
         * @description Send exactly one of the three. Needs the scope manage, too. It cannot be undone. Results, times, counts of attempts and the proof of histories stay; statistics lose addresses, browsers and referring hosts. An erasure whose client leaves stops; send it again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErasureResult"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record a complete backup, for health and alerts */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CompleteBackup"];
                };
            };
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest notifications that could not be delivered */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FailedNotifications"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        /** Delete all failed notifications */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a failed notification again
         * @description It keeps its id, and is retried for up to three more days.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a failed notification */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The statistics of the links that the caller owns
         * @description They are counted from the histories of the 200 links that `sort=views` lists first, among the newest 20,000 entries: the newest ones of each link. `links` and `topLinks` are of all time; `sent` counts all links that were created in the range, as `/api/stats/links/sent` does, up to 20,000.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Start of the range (included), an instant or a date of the zone */
                    start?: string;
                    /** @description End of the range (excluded), an instant or a date of the zone */
                    end?: string;
                    /** @description Length of each period */
                    unit?: "hour" | "day";
                    /** @description The time zone of the days and hours, such as Europe/Berlin; without it UTC. Attempts are counted by whole hours of UTC: each counts for the day and the hour of the zone in which it begins */
                    zone?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnStatistics"];
                    };
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The space that stored files take, by owner and by team
         * @description Files of links count until they are erased, and uploads from their beginning on. What arrives with a file request counts for the owner of the request. The largest use comes first.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StorageUse"];
                    };
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats/storage/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The space that the files of the caller take
         * @description Files of links count until they are erased, and uploads from their beginning on. What arrives with a file request counts for the owner of the request.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnStorageUse"];
                    };
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Settings that clients depend on, and who the request comes from
         * @description `caller` shows what a key may do, and who owns what it creates.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Settings"];
                    };
                };
                401: components["responses"]["Error401"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/display-name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change how your name is shown
         * @description In lower case, it is no name of another person. The name to sign in stays.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewDisplayName"];
                };
            };
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                400: components["responses"]["Error400"];
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                409: components["responses"]["Error409"];
                413: components["responses"]["Error413"];
                415: components["responses"]["Error415"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description The id `current` signs out.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                401: components["responses"]["Error401"];
                403: components["responses"]["Error403"];
                404: components["responses"]["Error404"];
                500: components["responses"]["Error500"];
                503: components["responses"]["Error503"];
                default: components["responses"]["CommonError"];
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Resolution */
        Resolution: {
            /** @enum {string} */
            type: "REDIRECT";
            /** Format: uri */
            targetUrl: string;
        };
        /** FileRequest */
        FileRequest: {
            /** @description What is wanted, as the visitor reads it; may have several lines */
            message: string;
            maxFiles: number | null;
            maxBytes: number | null;
            recipientKey: string | null;
        };
        /** OpenRequest */
        OpenRequest: {
            /** @enum {string} */
            type: "REQUEST";
            request: components["schemas"]["FileRequest"];
            expiresAt: string | null;
            submissionsLeft: number | null;
        };
        /** VisitForm */
        VisitForm: {
            /** @description For protected links */
            password?: string;
            /** @description Of a link with `verifiedRecipients`: a code is mailed to this address if the link names it. The response has the cookie with which the code is sent back */
            recipientAddress?: string;
            /** @description The code that was mailed to `recipientAddress` */
            recipientCode?: string;
            /**
             * @description Dry run: returns the `type`, and of a file `sha256` and `encrypted`, if the link would open; to a client that accepts `text/html` the confirmation page of a link that has one, and of a file. A refusal is audited as usual
             * @default false
             */
            ask?: boolean;
            /**
             * @description Leads a browser to the page that lists the files, instead of to the one file of a link
             * @default false
             */
            list?: boolean;
        };
        /** DryRun */
        DryRun: {
            /**
             * @description To what the link leads: a URL, a file, or a form that asks visitors for files
             * @enum {unknown}
             */
            type: "REDIRECT" | "DOWNLOAD" | "REQUEST";
            /** @description Of a file that is not shown as a text */
            sha256?: string;
            /** @description Of a file */
            encrypted?: boolean;
        };
        /** SubmissionForm */
        SubmissionForm: {
            /** @description Of a protected file request; before the files */
            password?: string;
            /** @description Who sends the files */
            sender?: string;
            note?: string;
            /**
             * @description The file is encrypted with age to the `recipientKey` of the file request
             * @default false
             */
            encrypted?: boolean;
            /** @description Of JSON: an upload, instead of files */
            uploadId?: string;
            /** @description Of a form: one or more files */
            file?: string[];
        };
        /** ReceivedFile */
        ReceivedFile: {
            name: string;
            sizeBytes: number;
            sha256: string;
        };
        /** Receipt */
        Receipt: {
            /** @enum {string} */
            type: "REQUEST";
            /** @description What was wanted */
            message: string;
            /** Format: date-time */
            receivedAt: string;
            files: components["schemas"]["ReceivedFile"][];
        };
        /** File */
        File: {
            name: string;
            sizeBytes: number;
            /** @description The SHA-256 of an uploaded file, 64 hexadecimal digits */
            sha256: string;
            /**
             * @description It was encrypted with age before it was uploaded
             * @enum {boolean}
             */
            encrypted?: true;
            /** @description It is a set of so many files: `name` is that of their ZIP, the rest describes their joined bytes */
            fileCount?: number;
            /** @description SHA-256 of the names and digests of the files of a set */
            partsSha256?: string;
            /**
             * @description The result of a scan for malware
             * @enum {unknown}
             */
            scan?: "CLEAN" | "INFECTED" | "NOT_SCANNED";
            scanNote?: string;
            /**
             * @description It is a text, which visitors are shown
             * @enum {boolean}
             */
            text?: true;
            /**
             * @description Visitors may view the file in the browser
             * @enum {boolean}
             */
            viewable?: true;
        };
        /**
         * KnownFetches
         * @description Views by known bots, such as those of chats and scanners, among the 20 newest entries. Only of a list and of one link that is read, where there are some, and only for those who may read the history
         */
        KnownFetches: {
            count: number;
            /** @description The name of the last bot */
            program: string;
            /** @description When something else opened the link last, among the same entries */
            openedAt: string | null;
        };
        /** Owner */
        Owner: {
            /** @enum {unknown} */
            kind: "KEY" | "USER" | "ANONYMOUS" | "COMMAND";
            /** @description Of the person, the key or the command */
            name: string | null;
            /** @description Of a person: the name as it is shown */
            displayName?: string;
        };
        /** UnsentMail */
        UnsentMail: {
            /** Format: email */
            address: string;
            /** Format: date-time */
            requestedAt: string;
            /** @description false: the service tries again by itself */
            isGivenUp: boolean;
        };
        /** LinkDescription */
        LinkDescription: {
            /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
            shortCode: string;
            /** Format: uri */
            accessUrl: string;
            /**
             * @description To what the link leads: a URL, a file, or a form that asks visitors for files
             * @enum {unknown}
             */
            type: "REDIRECT" | "DOWNLOAD" | "REQUEST";
            /**
             * @description Current status; EXPIRED as soon as the time or the views are used up
             * @enum {unknown}
             */
            status: "ACTIVE" | "EXPIRED" | "REVOKED";
            /**
             * @description The status in detail. SCHEDULED: opens at startsAt. USED_UP: has no views left
             * @enum {unknown}
             */
            state: "ACTIVE" | "SCHEDULED" | "PAUSED" | "EXPIRED" | "USED_UP" | "REVOKED";
            viewCount: number;
            passwordProtected: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description Null for a link without a file, and where the client may not know it */
            file: components["schemas"]["File"] | null;
            /** @description Only of a file request; null where the client may not know it */
            request?: components["schemas"]["FileRequest"] | null;
            /** @description The short code of the file request with which the file arrived, only for those who may read the history */
            requestCode?: string;
            /** @description The number of entries of the history, only for those who may read it */
            entryCount?: number;
            /** @description The fingerprint of the history, only for those who may read it */
            fingerprint?: string;
            /** @description Only for those who may change the link; null unless the link leads to a URL */
            targetUrl?: string | null;
            /** @description Only for those who may read the history */
            lastOpenedAt?: string | null;
            fetches?: components["schemas"]["KnownFetches"];
            owner?: components["schemas"]["Owner"];
            /** @description The mails with the link whose last try failed, of the last days; only of one link, and only for those who may change it */
            unsentMails?: components["schemas"]["UnsentMail"][];
            /** @description In UTC (after the year 9999 with an offset that keeps four digits); null without an expiry */
            expiresAt: string | null;
            /** @description How many times the link can be opened */
            maxViews: number | null;
            /** @description From when on the link opens; null: from its creation on */
            startsAt: string | null;
            /** @description The team that the link is shared with, which reads and changes it. Only for those who may read the history */
            team?: string | null;
            /** @description A name for the link, for those who manage it. Only for those who may read the history */
            label?: string | null;
            /** @description The person to whom the link is given. Only for those who may read the history */
            recipient?: string | null;
            /** @description Words by which the link is found. Only for those who may read the history */
            tags?: string[];
            /** @description Anything to remember about the link. Only for those who may read the history */
            note?: string | null;
            /** @description The name of the sender, which visitors read in a browser before they open the link. Only for those who may change the link */
            senderName?: string | null;
            /** @description A text for visitors, who read it in a browser before they open the link. Only for those who may change the link */
            message?: string | null;
            /** @description Shows the name of the sender and the message on the page that asks for the password, too. Only for those who may change the link */
            shownBeforePassword?: boolean;
            /** @description The mail addresses of those who may open the link: each proves theirs with a code that is mailed to it. Only for those who may read the history */
            verifiedRecipients?: string[];
            /** @description Shows browsers a confirmation page first */
            confirm: boolean;
            /** @description Receives a mail when the link is opened. Only for those who may change the link */
            notifyEmail?: string | null;
            /** @description Receives webhooks about the link. Only for those who may change the link */
            notifyUrl?: string | null;
            /** @description Visitors go there when the link has expired or is used up. Only for those who may change the link */
            fallbackUrl?: string | null;
            /** @description Appends what follows the short code in the address to the target. Only for those who may change the link */
            forwardPath?: boolean;
            /** @description Adds the query of the address to that of the target, whose own parameters stay. Only for those who may change the link */
            forwardQuery?: boolean;
        };
        /** LinkPage */
        LinkPage: {
            items: components["schemas"]["LinkDescription"][];
            /** @description The `cursor` of the next page; null at the end */
            next: string | null;
        };
        /** AnnouncedFile */
        AnnouncedFile: {
            /** @description The name, which may have folders: docs/report.pdf */
            fileName: string;
            sizeBytes: number;
        };
        /** AnnouncedFiles */
        AnnouncedFiles: {
            files: components["schemas"]["AnnouncedFile"][];
        };
        /**
         * Upload
         * @description The upload
         */
        Upload: {
            uploadId: string;
            /** @description The largest body of one PATCH that proxies in front of the service need to pass on */
            chunkBytes: number;
        };
        /** NewFileRequest */
        NewFileRequest: {
            /** @description What is wanted, as the visitor reads it; may have several lines */
            message: string;
            /** @description Of a submission */
            maxFiles?: number;
            /** @description The size of all files of a submission together */
            maxBytes?: number;
            /** @description A recipient of age, to which senders encrypt the files, as one file */
            recipientKey?: string;
        };
        /** LinkRequest */
        LinkRequest: {
            /**
             * Format: uri
             * @description http:// or https://, kept verbatim. `Location` has it in ASCII, in at most 8,192 bytes
             */
            targetUrl?: string;
            /**
             * Format: date-time
             * @description The link ends then. ISO 8601 with a timezone offset, in the future. Without it `links.defaultTtl` of the settings applies; null there means that the link does not expire
             */
            expiresAt?: string;
            /** @description How many times the link can be opened, see `text` */
            maxViews?: number | null;
            /** @description Required to open the link. Stored only as a hash. An empty one counts as absent */
            password?: string;
            /**
             * Format: date-time
             * @description The link opens from then on. ISO 8601 with a timezone offset, before expiresAt
             */
            startsAt?: string;
            /** @description The short code, instead of a random one; it can be guessed. Protect what is confidential with a password */
            customCode?: string;
            /** @description The team that the link is shared with, which reads and changes it. One of yours, or any with the scope `manage` */
            team?: string;
            /** @description A name for the link, for those who manage it */
            label?: string;
            /** @description The person to whom the link is given */
            recipient?: string;
            /** @description Words by which the link is found. Without commas */
            tags?: string[];
            /** @description Anything to remember about the link. It may have several lines */
            note?: string;
            /** @description The host name of its address, if the service has several. One of `links.hosts` in the settings. The link opens under each. Without it that of app.base-url */
            host?: string;
            /** @description The name of the sender, which visitors read in a browser before they open the link. Beside it they read to whose account the link belongs, or that the name has not been verified. It is not shown before the right password, unless `shownBeforePassword` is true */
            senderName?: string;
            /** @description A text for visitors, who read it in a browser before they open the link. It may have several lines, and is shown like `senderName`. A file request has its own */
            message?: string;
            /**
             * @description Shows the name of the sender and the message on the page that asks for the password, too
             * @default false
             */
            shownBeforePassword?: boolean;
            /** @description The mail addresses of those who may open the link: each proves theirs with a code that is mailed to it. After the password. Up to 50; the service must be able to send mail, and asks for the scope `create`, unless app.mail.per-link is everyone. The history says which address opened the link */
            verifiedRecipients?: string[];
            /**
             * @description Shows browsers a confirmation page first. So mail scanners and previews spend no view
             * @default false
             */
            confirm?: boolean;
            /**
             * Format: email
             * @description Receives a mail when the link is opened. After the first view, usually after the first that no known bot spent, after files arrived, and else at most one a day, in the language of Accept-Language. The own verified address of a person who has signed in is allowed; the administrator allows others, which need the scope `create`, unless app.mail.per-link is everyone
             */
            notifyEmail?: string;
            /**
             * Format: uri
             * @description Receives webhooks about the link. Needs webhooks of the service, and the scope `create`, unless app.webhooks.per-link is everyone
             */
            notifyUrl?: string;
            /**
             * Format: uri
             * @description Visitors go there when the link has expired or is used up. Not those who accept JSON. The attempt is recorded as EXPIRED or VIEW_LIMIT_REACHED. A revoked link leads nowhere
             */
            fallbackUrl?: string;
            /**
             * @description Appends what follows the short code in the address to the target
             * @default false
             */
            forwardPath?: boolean;
            /**
             * @description Adds the query of the address to that of the target, whose own parameters stay
             * @default false
             */
            forwardQuery?: boolean;
            /** @description A text or a secret, which is shown to visitors, instead of `targetUrl`: at most 1 MB. Without `maxViews`, the link opens once; null: see `links.maxViews` of the settings. Browsers get a confirmation page first, unknown programs too unless they accept `text/plain` alone or `application/json`. With `uploadId`, true: the upload is such a text */
            text?: string | true;
            /** @description An upload, instead of `targetUrl`; see POST /api/uploads */
            uploadId?: string;
            /** @description The name of the upload, instead of the one with which it began */
            fileName?: string;
            /** @description The SHA-256 that the upload must have; with another one: 422 */
            sha256?: string;
            /**
             * @description The upload was encrypted with age before
             * @default false
             */
            encrypted?: boolean;
            /**
             * @description Shows the upload to browsers, on a page of its own: only a PDF, a picture (PNG, JPEG, GIF, WebP or AVIF), audio (MP3, M4A, WAV, FLAC or Ogg) or video (MP4, WebM or Ogg)
             * @default false
             */
            viewable?: boolean;
            request?: components["schemas"]["NewFileRequest"];
        };
        /**
         * Link
         * @description The link. Its own token is in the header X-Link-Token, in this response only, and the fingerprint of its creation in X-Link-Fingerprint
         */
        Link: {
            /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
            shortCode: string;
            /** Format: uri */
            accessUrl: string;
            /** @description As it was sent, or that of the settings in UTC; null without an expiry */
            expiresAt: string | null;
            maxViews: number | null;
            /** @description Present only if it was sent */
            confirm?: boolean;
            /**
             * @description The result of a scan for malware, if app.upload.scan is set. INFECTED: the link is paused, and cannot be resumed before its file is replaced; with app.scan.required, NOT_SCANNED is paused as well until a scan finds nothing
             * @enum {unknown}
             */
            scan?: "CLEAN" | "INFECTED" | "NOT_SCANNED";
        };
        /** UploadForm */
        UploadForm: {
            /**
             * Format: binary
             * @description The file; several of this name get one link
             */
            file: string;
            /**
             * @description The file was encrypted in the format of age. Its name is not stored, and browsers decrypt it
             * @default false
             */
            encrypted?: boolean;
            /**
             * @description Shows the file to browsers, on a page of its own: only a PDF, a picture (PNG, JPEG, GIF, WebP or AVIF), audio (MP3, M4A, WAV, FLAC or Ogg) or video (MP4, WebM or Ogg)
             * @default false
             */
            viewable?: boolean;
            /**
             * Format: date-time
             * @description The link ends then. ISO 8601 with a timezone offset, in the future. Without it `links.defaultTtl` of the settings applies; null there means that the link does not expire
             */
            expiresAt?: string;
            /** @description How many times the link can be opened. Without it `links.maxViews` of the settings applies; null there sets no limit */
            maxViews?: number;
            /** @description Required to open the link. Stored only as a hash. An empty one counts as absent */
            password?: string;
            /**
             * Format: date-time
             * @description The link opens from then on. ISO 8601 with a timezone offset, before expiresAt
             */
            startsAt?: string;
            /** @description The short code, instead of a random one; it can be guessed. Protect what is confidential with a password */
            customCode?: string;
            /** @description The team that the link is shared with, which reads and changes it. One of yours, or any with the scope `manage` */
            team?: string;
            /** @description A name for the link, for those who manage it */
            label?: string;
            /** @description The person to whom the link is given */
            recipient?: string;
            /** @description Words by which the link is found, separated by commas */
            tags?: string;
            /** @description Anything to remember about the link. It may have several lines */
            note?: string;
            /** @description The host name of its address, if the service has several. One of `links.hosts` in the settings. The link opens under each. Without it that of app.base-url */
            host?: string;
            /** @description The name of the sender, which visitors read in a browser before they open the link. Beside it they read to whose account the link belongs, or that the name has not been verified. It is not shown before the right password, unless `shownBeforePassword` is true */
            senderName?: string;
            /** @description A text for visitors, who read it in a browser before they open the link. It may have several lines, and is shown like `senderName`. A file request has its own */
            message?: string;
            /**
             * @description Shows the name of the sender and the message on the page that asks for the password, too
             * @default false
             */
            shownBeforePassword?: boolean;
            /** @description The mail addresses of those who may open the link: each proves theirs with a code that is mailed to it, separated by commas */
            verifiedRecipients?: string;
            /**
             * @description Shows browsers a confirmation page first. So mail scanners and previews spend no view
             * @default false
             */
            confirm?: boolean;
            /**
             * Format: email
             * @description Receives a mail when the link is opened. After the first view, usually after the first that no known bot spent, after files arrived, and else at most one a day, in the language of Accept-Language. The own verified address of a person who has signed in is allowed; the administrator allows others, which need the scope `create`, unless app.mail.per-link is everyone
             */
            notifyEmail?: string;
            /**
             * Format: uri
             * @description Receives webhooks about the link. Needs webhooks of the service, and the scope `create`, unless app.webhooks.per-link is everyone
             */
            notifyUrl?: string;
            /**
             * Format: uri
             * @description Visitors go there when the link has expired or is used up. Not those who accept JSON. The attempt is recorded as EXPIRED or VIEW_LIMIT_REACHED. A revoked link leads nowhere
             */
            fallbackUrl?: string;
        };
        /** RedirectRequest */
        RedirectRequest: {
            /**
             * Format: uri
             * @description http:// or https://, kept verbatim. `Location` has it in ASCII, in at most 8,192 bytes
             */
            targetUrl: string;
            /**
             * Format: date-time
             * @description The link ends then. ISO 8601 with a timezone offset, in the future. Without it `links.defaultTtl` of the settings applies; null there means that the link does not expire
             */
            expiresAt?: string;
            /** @description How many times the link can be opened. Without it `links.maxViews` of the settings applies; null there sets no limit */
            maxViews?: number;
            /** @description Required to open the link. Stored only as a hash. An empty one counts as absent */
            password?: string;
            /**
             * Format: date-time
             * @description The link opens from then on. ISO 8601 with a timezone offset, before expiresAt
             */
            startsAt?: string;
            /** @description The short code, instead of a random one; it can be guessed. Protect what is confidential with a password */
            customCode?: string;
            /** @description The team that the link is shared with, which reads and changes it. One of yours, or any with the scope `manage` */
            team?: string;
            /** @description A name for the link, for those who manage it */
            label?: string;
            /** @description The person to whom the link is given */
            recipient?: string;
            /** @description Words by which the link is found. Without commas */
            tags?: string[];
            /** @description Anything to remember about the link. It may have several lines */
            note?: string;
            /** @description The host name of its address, if the service has several. One of `links.hosts` in the settings. The link opens under each. Without it that of app.base-url */
            host?: string;
            /** @description The name of the sender, which visitors read in a browser before they open the link. Beside it they read to whose account the link belongs, or that the name has not been verified. It is not shown before the right password, unless `shownBeforePassword` is true */
            senderName?: string;
            /** @description A text for visitors, who read it in a browser before they open the link. It may have several lines, and is shown like `senderName`. A file request has its own */
            message?: string;
            /**
             * @description Shows the name of the sender and the message on the page that asks for the password, too
             * @default false
             */
            shownBeforePassword?: boolean;
            /** @description The mail addresses of those who may open the link: each proves theirs with a code that is mailed to it. After the password. Up to 50; the service must be able to send mail, and asks for the scope `create`, unless app.mail.per-link is everyone. The history says which address opened the link */
            verifiedRecipients?: string[];
            /**
             * @description Shows browsers a confirmation page first. So mail scanners and previews spend no view
             * @default false
             */
            confirm?: boolean;
            /**
             * Format: email
             * @description Receives a mail when the link is opened. After the first view, usually after the first that no known bot spent, after files arrived, and else at most one a day, in the language of Accept-Language. The own verified address of a person who has signed in is allowed; the administrator allows others, which need the scope `create`, unless app.mail.per-link is everyone
             */
            notifyEmail?: string;
            /**
             * Format: uri
             * @description Receives webhooks about the link. Needs webhooks of the service, and the scope `create`, unless app.webhooks.per-link is everyone
             */
            notifyUrl?: string;
            /**
             * Format: uri
             * @description Visitors go there when the link has expired or is used up. Not those who accept JSON. The attempt is recorded as EXPIRED or VIEW_LIMIT_REACHED. A revoked link leads nowhere
             */
            fallbackUrl?: string;
            /**
             * @description Appends what follows the short code in the address to the target
             * @default false
             */
            forwardPath?: boolean;
            /**
             * @description Adds the query of the address to that of the target, whose own parameters stay
             * @default false
             */
            forwardQuery?: boolean;
        };
        /** BulkRequest */
        BulkRequest: {
            items: components["schemas"]["RedirectRequest"][];
        };
        /** NewLink */
        NewLink: {
            /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
            shortCode: string;
            /** Format: uri */
            accessUrl: string;
            /** @description As it was sent, or that of the settings in UTC; null without an expiry */
            expiresAt: string | null;
            maxViews: number | null;
            /** @description Present only if it was sent */
            confirm?: boolean;
            /**
             * @description The result of a scan for malware, if app.upload.scan is set. INFECTED: the link is paused, and cannot be resumed before its file is replaced; with app.scan.required, NOT_SCANNED is paused as well until a scan finds nothing
             * @enum {unknown}
             */
            scan?: "CLEAN" | "INFECTED" | "NOT_SCANNED";
            /** @description The fingerprint of the history, whose only entry is the creation */
            fingerprint: string;
            /** @description The token of this link; a repeated response lacks it */
            token?: string;
            /** @description With a notifyUrl: the secret that verifies its webhooks, whsec_ and base64; absent where the token is */
            webhookSecret?: string;
        };
        /**
         * ErrorCode
         * @description The error, for a program; it never changes
         * @enum {unknown}
         */
        ErrorCode: "API_KEY_OR_LINK_TOKEN_REQUIRED" | "API_KEY_REQUIRED" | "BODY_TOO_LARGE" | "CANNOT_GRANT_SCOPES" | "CODES_UNAVAILABLE" | "CROSS_SITE_FORM" | "CROSS_SITE_REQUEST" | "CUSTOM_CODES_OFF" | "CUSTOM_CODE_RESERVED" | "CUSTOM_CODE_TAKEN" | "DATABASE_UNAVAILABLE" | "DIGEST_MISMATCH" | "DUPLICATE_FIELD" | "ENCRYPTION_REQUIRED" | "END_BEFORE_START" | "ENTRIES_DETACHED" | "EXPIRED" | "EXPIRY_TOO_LATE" | "FILE_EMPTY" | "FILE_HELD_BACK" | "FILE_INSTEAD_OF_TEXT" | "FILE_MISSING" | "FILE_NOT_FOUND" | "FILE_TOO_LARGE" | "FOREIGN_LINK_TOKEN" | "HEADERS_TOO_LARGE" | "IDEMPOTENCY_KEY_REUSED" | "IDEMPOTENT_REQUEST_RUNNING" | "INSUFFICIENT_SCOPE" | "INVALID_ADDRESS" | "INVALID_API_KEY" | "INVALID_CURSOR" | "INVALID_CUSTOM_CODE" | "INVALID_DATE_TIME" | "INVALID_DIGEST" | "INVALID_EMAIL" | "INVALID_ERASURE" | "INVALID_FILE_NUMBERS" | "INVALID_FILE_REQUEST" | "INVALID_FORMAT" | "INVALID_IDEMPOTENCY_KEY" | "INVALID_IMPORT" | "INVALID_LIST" | "INVALID_NAME" | "INVALID_NOTIFY_EMAIL" | "INVALID_NOTIFY_URL" | "INVALID_ORDER" | "INVALID_OWNER_KIND" | "INVALID_PASSWORD" | "INVALID_RECIPIENT" | "INVALID_RECIPIENTS" | "INVALID_RECIPIENT_KEY" | "INVALID_RESULT" | "INVALID_SCOPES" | "INVALID_SORT" | "INVALID_STATE" | "INVALID_TAGS" | "INVALID_TARGET_URL" | "INVALID_TEXT" | "INVALID_TIME_ZONE" | "INVALID_TYPE" | "INVALID_UNIT" | "LAST_ADMINISTRATOR" | "LEASE_ENDED" | "LEASE_MISMATCH" | "LEASE_NOT_HERE" | "LEASE_REQUIRED" | "LEASE_USED_UP" | "LIMIT_OUT_OF_RANGE" | "LINKS_NEED_OWNER" | "LINK_HAS_ENDED" | "LINK_HAS_NO_FILE" | "LINK_IS_REVOKED" | "MAILS_NO_INVITATIONS" | "MAILS_NO_LINKS" | "MAIL_NOT_SENT" | "MALFORMED_HOST" | "MALFORMED_JSON" | "MALFORMED_MULTIPART" | "MALFORMED_REQUEST" | "MALFORMED_UPLOAD" | "MAX_VIEWS_TOO_LARGE" | "MAX_VIEWS_TOO_SMALL" | "MESSAGE_MISSING" | "METHOD_NOT_ALLOWED" | "MISDIRECTED_REQUEST" | "NAME_TAKEN" | "NEEDLESS_LINK_TOKEN" | "NOTIFICATIONS_NOT_SET_UP" | "NOTIFY_EMAIL_NEEDS_SIGN_IN" | "NOTIFY_EMAIL_NOT_ALLOWED" | "NOTIFY_EMAIL_UNAVAILABLE" | "NOTIFY_URL_NEEDS_SIGN_IN" | "NOTIFY_URL_NOT_ALLOWED" | "NOTIFY_URL_UNAVAILABLE" | "NOT_AN_INTEGER" | "NOT_A_FILE_REQUEST" | "NOT_A_FUTURE_DATE" | "NOT_A_TEXT" | "NOT_ENCRYPTED" | "NOT_FOUND" | "NOT_STARTED" | "NOT_TRUE_OR_FALSE" | "NOT_VIEWABLE" | "NO_CHECKPOINT" | "NO_SUCH_ENDPOINT" | "NO_SUCH_KEY" | "NO_SUCH_NOTIFICATION" | "NO_SUCH_PERSON" | "NO_SUCH_SESSION" | "NO_SUCH_TEAM" | "NO_SUCH_UPLOAD" | "OVERLOADED" | "PASSWORD_BLANK" | "PASSWORD_HAS_CONTROL_CHARACTERS" | "PASSWORD_HAS_OUTER_WHITE_SPACE" | "PASSWORD_LINK_ENDED" | "PASSWORD_MISSING" | "PASSWORD_NOT_A_STRING" | "PASSWORD_NOT_WELL_FORMED" | "PASSWORD_REQUIRED" | "PASSWORD_TOO_LONG" | "PASSWORD_TOO_SHORT" | "PAUSED" | "QUOTA_EXCEEDED" | "RANGE_NOT_SATISFIABLE" | "RATE_LIMITED" | "RECIPIENTS_NEED_SIGN_IN" | "RECIPIENTS_UNAVAILABLE" | "RECIPIENT_REQUIRED" | "REQUEST_OCCUPIED" | "REQUEST_TIMEOUT" | "REQUEST_TOO_LARGE" | "REVOKED" | "SCAN_REQUIRED" | "SCOPES_BEYOND_OWNER" | "SESSION_NEEDS_OWN_PAGE" | "SEVERAL_CREDENTIALS" | "SEVERAL_TARGETS" | "SIGNS_NO_CHECKPOINTS" | "SIGN_IN_NEEDS_TLS" | "SIGN_IN_REQUIRED" | "STARTS_AFTER_EXPIRY" | "STORAGE_FULL" | "STORAGE_UNAVAILABLE" | "TAG_TOO_LONG" | "TARGET_BLOCKED" | "TARGET_IS_THIS_SERVICE" | "TARGET_URL_MISSING" | "TARGET_URL_TOO_LONG" | "TEAM_HAS_LINKS" | "TERM_BLANK" | "TERM_CANNOT_BE_CHANGED" | "TEXT_HAS_CONTROL_CHARACTERS" | "TEXT_TOO_LONG" | "TOO_MANY_CONNECTIONS" | "TOO_MANY_FILES" | "TOO_MANY_PARTS" | "TOO_MANY_RECIPIENTS" | "TOO_MANY_TAGS" | "TUS_VERSION_REQUIRED" | "UNEXPECTED_ERROR" | "UNEXPECTED_STATE" | "UNKNOWN_FIELD" | "UNKNOWN_LINK_HOST" | "UNKNOWN_PERSON" | "UNKNOWN_TEAM" | "UNSUPPORTED_CONTENT_ENCODING" | "UNSUPPORTED_CONTENT_TYPE" | "UNUSABLE_USER_NAME" | "UPLOAD_INCOMPLETE" | "UPLOAD_LOCKED" | "UPLOAD_OFFSET_MISMATCH" | "VERSION_MISMATCH" | "VIEW_LIMIT_REACHED" | "WRONG_NAME_OR_PASSWORD";
        /** Error */
        Error: {
            /** Format: date-time */
            timestamp: string;
            status: number;
            /** @description The reason phrase of the status */
            error: string;
            /** @description The error, for a person */
            message: string;
            path: string;
            code: components["schemas"]["ErrorCode"];
            /** @description The field or parameter that the error concerns */
            field?: string;
            /** @description The values in the message, such as the maximum `max` */
            params?: {
                [key: string]: string | number;
            };
        };
        /** BulkResult */
        BulkResult: {
            /** @description As of POST /api/links with this item alone */
            status: number;
            link?: components["schemas"]["NewLink"];
            error?: components["schemas"]["Error"];
        };
        /** BulkResults */
        BulkResults: {
            /** @description One for each item, in their order */
            results: components["schemas"]["BulkResult"][];
        };
        /** LinkPatch */
        LinkPatch: {
            /**
             * Format: uri
             * @description Only of a link to a URL
             */
            targetUrl?: string;
            /** @description A paused link cannot be opened */
            paused?: boolean;
            /** @description The name of the active person who gets the link; by its owner alone, or with the scope `manage` */
            owner?: string;
            /** @description Only of a file request */
            request?: {
                /** @description What is wanted, as the visitor reads it; may have several lines */
                message?: string;
                maxFiles?: number | null;
                maxBytes?: number | null;
                recipientKey?: string | null;
            };
            expiresAt?: string | null;
            maxViews?: number | null;
            password?: string | null;
            startsAt?: string | null;
            team?: string | null;
            label?: string | null;
            recipient?: string | null;
            tags?: string[] | null;
            note?: string | null;
            host?: string | null;
            senderName?: string | null;
            message?: string | null;
            /** @description Shows the name of the sender and the message on the page that asks for the password, too */
            shownBeforePassword?: boolean;
            verifiedRecipients?: string[] | null;
            /** @description Shows browsers a confirmation page first. So mail scanners and previews spend no view */
            confirm?: boolean;
            notifyEmail?: string | null;
            notifyUrl?: string | null;
            fallbackUrl?: string | null;
            /** @description Appends what follows the short code in the address to the target */
            forwardPath?: boolean;
            /** @description Adds the query of the address to that of the target, whose own parameters stay */
            forwardQuery?: boolean;
        };
        /** FileOfSet */
        FileOfSet: {
            /** @description With its folders, and `/` between */
            name: string;
            sizeBytes: number;
            /** @description The SHA-256 of an uploaded file, 64 hexadecimal digits */
            sha256: string;
        };
        /** FileList */
        FileList: {
            files: components["schemas"]["FileOfSet"][];
            /** @description The `cursor` of the next page; null at the end */
            next: string | null;
        };
        /** NewShortCode */
        NewShortCode: {
            /** @description The short code, instead of a random one; it can be guessed. Protect what is confidential with a password */
            customCode?: string;
        };
        /** MailRecipient */
        MailRecipient: {
            /** Format: email */
            email: string;
        };
        /** FileForm */
        FileForm: {
            /**
             * Format: binary
             * @description Of a form: the file, or several of this name
             */
            file?: string;
            /**
             * @description The file was encrypted in the format of age. Its name is not stored, and browsers decrypt it
             * @default false
             */
            encrypted?: boolean;
            /**
             * @description Shows the file to browsers, on a page of its own: only a PDF, a picture (PNG, JPEG, GIF, WebP or AVIF), audio (MP3, M4A, WAV, FLAC or Ogg) or video (MP4, WebM or Ogg)
             * @default false
             */
            viewable?: boolean;
            /** @description Of JSON: an upload, instead of the file */
            uploadId?: string;
            /** @description Of JSON: the name of the upload, instead of the one with which it began */
            fileName?: string;
            /** @description Of JSON: the SHA-256 that the upload must have; with another one: 422 */
            sha256?: string;
            /** @description The numbers of the files that stay, before the new ones, such as `1,3` */
            keep?: string;
        };
        /** DownloadEnd */
        DownloadEnd: {
            /** @description The number of the format of its text */
            format: number;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description In UTC, with milliseconds
             */
            at: string;
            number: number;
            /** @description The first byte of the file that was to be sent, from 0 */
            firstByte: number;
            /** @description Bytes that the service sent */
            bytesSent: number;
            /** @description Whether the service sent all from the first byte to the end of the file, to the client or its proxy: no proof that the client received it */
            isSentCompletely: boolean;
        };
        /** AttemptEntry */
        AttemptEntry: {
            /** @description The number of the format of its text */
            format: number;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description In UTC, with milliseconds
             */
            at: string;
            /** @description The place in the history of the link, from 1; 0 without a link */
            number: number;
            shortCode: string;
            /** @description Hashed with the personal fields; null without these */
            salt: string | null;
            /** @description The SHA-256 of the personal fields with their salt, once both were erased */
            personalSha256?: string;
            /** @enum {string} */
            kind: "ATTEMPT";
            /** @enum {unknown} */
            result: "SUCCESS" | "NOT_FOUND" | "REVOKED" | "EXPIRED" | "VIEW_LIMIT_REACHED" | "PASSWORD_REQUIRED" | "INVALID_PASSWORD" | "UNEXPECTED_STATE" | "RATE_LIMITED" | "PAUSED" | "NOT_STARTED" | "RECIPIENT_REQUIRED" | "INVALID_RECIPIENT" | "PREVIEW" | "PREVIEW_INVALID_PASSWORD";
            /** @description How many attempts it records: 1, but of those that a limit refused all of a minute */
            count: number;
            ipAddress: string | null;
            userAgent: string | null;
            /** @description The mail address of one of the `verifiedRecipients`. Of SUCCESS: a person who controlled it opened the link; of RECIPIENT_REQUIRED: a code was asked for it; of INVALID_RECIPIENT: a code was sent for it that is wrong, has ended or was used, or was sent from another browser */
            recipientAddress?: string;
            /** @description The host of the page that had the link, if the browser named it */
            referrer?: string;
            preview: boolean;
            /** @description How the download of the file, or each part of it, ended; empty before the first end */
            downloads: components["schemas"]["DownloadEnd"][];
        };
        /** Author */
        Author: {
            /** @enum {unknown} */
            kind: "KEY" | "USER" | "LINK_TOKEN" | "ANONYMOUS" | "COMMAND";
            /** @description Of the key, the user or the command */
            name: string | null;
            ipAddress: string | null;
        };
        /** ChangedTerm */
        ChangedTerm: {
            new: string | number | boolean | null;
            old: string | number | boolean | null;
        };
        /** ChangeEntry */
        ChangeEntry: {
            /** @description The number of the format of its text */
            format: number;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description In UTC, with milliseconds
             */
            at: string;
            /** @description The place in the history of the link, from 1; 0 without a link */
            number: number;
            shortCode: string;
            /** @description Hashed with the personal fields; null without these */
            salt: string | null;
            /** @description The SHA-256 of the personal fields with their salt, once both were erased */
            personalSha256?: string;
            /**
             * @description CHANGED: something of the link was changed, or it was mailed
             * @enum {unknown}
             */
            kind: "CREATED" | "CHANGED" | "REVOKED";
            author: components["schemas"]["Author"];
            /** @description The terms of a new link, or what was changed */
            details: {
                [key: string]: (string | number | boolean | null) | components["schemas"]["ChangedTerm"];
            };
        };
        /** HistoryPage */
        HistoryPage: {
            /** @description Newest first */
            items: (components["schemas"]["AttemptEntry"] | components["schemas"]["ChangeEntry"])[];
            /** @description The `cursor` of the next page; null at the end */
            next: string | null;
            /** @description The number of entries, with the ends of downloads */
            entryCount: number;
            /** @description SHA-256 of the newest entry, 64 hexadecimal digits */
            fingerprint: string;
        };
        /** AuditPage */
        AuditPage: {
            /** @description Newest first */
            items: (components["schemas"]["AttemptEntry"] | components["schemas"]["ChangeEntry"])[];
            /** @description The `cursor` of the next page; null at the end */
            next: string | null;
        };
        /** CheckpointOfLink */
        CheckpointOfLink: {
            /** @description The newest entry of the link that the checkpoint has */
            number: number;
            /** @description The checkpoint, and the proof that it has the entry: https://c2sp.org/tlog-proof */
            proof: string;
            /** @description The key of the log: https://c2sp.org/signed-note */
            key: string;
            /** @description The statements by which earlier keys passed on the log, the oldest first */
            handovers: string[];
        };
        /** LinkCheckpoint */
        LinkCheckpoint: {
            checkpoint: components["schemas"]["CheckpointOfLink"] | null;
        };
        /** NewLogKey */
        NewLogKey: {
            /** @description True: the key is that of a new log, also without the old key */
            isNewLog?: boolean;
        };
        /** LogKey */
        LogKey: {
            /** @description The new key */
            key: string;
            /** @description The key before it, which has signed the new one */
            formerKey: string | null;
        };
        /** RevokeRequest */
        RevokeRequest: {
            shortCodes: string[];
            /** @description The tokens of the links, in any order. Links that the key may revoke need none */
            tokens?: string[];
        };
        /** RevokeResult */
        RevokeResult: {
            /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
            shortCode: string;
            /** @enum {unknown} */
            result: "revoked" | "already-revoked" | "not-found" | "not-allowed" | "not-tried";
        };
        /** RevokeResults */
        RevokeResults: {
            /** @description One for each short code, in their order */
            results: components["schemas"]["RevokeResult"][];
        };
        /** AccessSummary */
        AccessSummary: {
            total: number;
            success: number;
            failed: number;
            expired: number;
            uniqueOrigins: number;
            /** @description Successful attempts in percent of all */
            accessEfficiencyRatio: number;
            /** @description Expired attempts in percent of all */
            expirationAttritionRate: number;
        };
        /** HourlyBucket */
        HourlyBucket: {
            hour: number;
            count: number;
        };
        /** DailyBucket */
        DailyBucket: {
            /** Format: date */
            date: string;
            count: number;
        };
        /** Period */
        Period: {
            /** Format: date-time */
            start: string;
            total: number;
            success: number;
            failed: number;
            /** @description Those of `failed` that were asked for a password, or for a mail address or its code */
            passwordRequests: number;
        };
        /** ResultCount */
        ResultCount: {
            /** @enum {unknown} */
            result: "SUCCESS" | "NOT_FOUND" | "REVOKED" | "EXPIRED" | "VIEW_LIMIT_REACHED" | "PASSWORD_REQUIRED" | "INVALID_PASSWORD" | "UNEXPECTED_STATE" | "RATE_LIMITED" | "PAUSED" | "NOT_STARTED" | "RECIPIENT_REQUIRED" | "INVALID_RECIPIENT" | "PREVIEW" | "PREVIEW_INVALID_PASSWORD";
            count: number;
        };
        /** LinkStatusCounts */
        LinkStatusCounts: {
            active: number;
            expired: number;
            revoked: number;
        };
        /** SentLinks */
        SentLinks: {
            total: number;
            opened: number;
            /** @description Neither opened nor ended */
            unopened: number;
            /** @description Expired or were revoked before they were opened */
            endedUnopened: number;
            /** @description Further links, of files that file requests received */
            received: number;
            /** @description Of the numbers above, those of file requests; `opened`: received files */
            requests: {
                total: number;
                opened: number;
                endedUnopened: number;
            };
            /** @description Only the newest 20,000 links of the range were read */
            isTruncated: boolean;
        };
        /** TopLink */
        TopLink: {
            /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
            shortCode: string;
            /** @description Of a link that has one, but for received files */
            label?: string;
            /** @description The name of its file, the host of its URL, or the beginning of a file request; only for those who may change the link, and not of received files */
            leadsTo?: string;
            /**
             * @description Of a file request
             * @enum {string}
             */
            type?: "REQUEST";
            accessCount: number;
        };
        /** SecurityException */
        SecurityException: {
            /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
            shortCode: string;
            /** @description Of a link that has one, but for received files */
            label?: string;
            /** @description The name of its file, the host of its URL, or the beginning of a file request; only for those who may change the link, and not of received files */
            leadsTo?: string;
            /**
             * @description Of a file request
             * @enum {string}
             */
            type?: "REQUEST";
            count: number;
        };
        /** NameCount */
        NameCount: {
            /** @description null: not known; of referrers also: direct */
            name: string | null;
            count: number;
        };
        /** Referrers */
        Referrers: {
            views: number;
            /** @description Only the newest entries were read, and there may be older ones */
            isTruncated: boolean;
            referrers: components["schemas"]["NameCount"][];
        };
        /** Devices */
        Devices: {
            views: number;
            /** @description Only the newest entries were read, and there may be older ones */
            isTruncated: boolean;
            browsers: components["schemas"]["NameCount"][];
            systems: components["schemas"]["NameCount"][];
        };
        /** Health */
        Health: {
            /** @enum {unknown} */
            status: "UP" | "DOWN" | "OUT_OF_SERVICE";
            components?: {
                [key: string]: {
                    /** @enum {unknown} */
                    status: "UP" | "DOWN" | "OUT_OF_SERVICE";
                    details: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        /** SignIn */
        SignIn: {
            name: string;
            password: string;
            /** @description For 30 days after the last use, and at most 90; else for 8 hours, and at most 7 days */
            staySignedIn?: boolean;
        };
        /** Session */
        Session: {
            id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description True for the session of this request */
            isCurrent: boolean;
            userAgent: string | null;
        };
        /** Sessions */
        Sessions: {
            items: components["schemas"]["Session"][];
        };
        /** NewPassword */
        NewPassword: {
            newPassword: string;
            /** @description The present password */
            password?: string;
            /** @description The secret of the link: what follows # in its address */
            token?: string;
        };
        /** LinkSecret */
        LinkSecret: {
            /** @description What follows # in its address */
            token: string;
        };
        /** PasswordLinkOwner */
        PasswordLinkOwner: {
            name: string;
            /** @description The name as pages and mails show it: as an administrator or the person wrote it */
            displayName: string;
            email: string | null;
        };
        /** ImportedLink */
        ImportedLink: {
            shortCode?: string | null;
            host?: string | null;
            targetUrl?: string | null;
            createdAt?: string | null;
            startsAt?: string | null;
            expiresAt?: string | null;
            maxViews?: string | null;
            views?: string | null;
            label?: string | null;
            note?: string | null;
            recipient?: string | null;
            password?: string | null;
            forwardPath?: boolean;
            forwardQuery?: boolean;
            tags?: string[];
            refusals?: ("password" | "banned" | "deleted")[];
            losses?: string[];
        };
        /** LinkImport */
        LinkImport: {
            /** @description The product that the links come from, such as `shlink` */
            from: string;
            /** @description Of times without an offset; UTC by default */
            timeZone?: string;
            /**
             * @description What becomes of links that their source refuses to visitors
             * @enum {unknown}
             */
            withRefusal?: "pause" | "skip";
            /** @description True: targets on blocked hosts, too */
            allowsBlocked?: boolean;
            /** @description True: only determines the results */
            isDryRun?: boolean;
            items: components["schemas"]["ImportedLink"][];
        };
        /** ImportRemark */
        ImportRemark: {
            what: string;
            detail?: string;
        };
        /** ImportResult */
        ImportResult: {
            /**
             * @description ALREADY_THERE: a link with the short code leads to the same URL
             * @enum {unknown}
             */
            result: "IMPORTED" | "ALREADY_THERE" | "SKIPPED";
            targetUrl?: string;
            isPaused?: boolean;
            views?: number;
            remarks?: components["schemas"]["ImportRemark"][];
            /** @enum {unknown} */
            reason?: "INVALID_CODE" | "RESERVED_CODE" | "INVALID_TARGET" | "BLOCKED_TARGET" | "INVALID_TIME" | "INVALID_COUNT" | "INVALID_PASSWORD" | "REFUSES_VISITORS" | "CODE_TAKEN";
            detail?: string;
        };
        /** ImportResults */
        ImportResults: {
            results: components["schemas"]["ImportResult"][];
        };
        /** ScopeSource */
        ScopeSource: {
            /** @enum {unknown} */
            scope: "create" | "read" | "manage" | "metrics" | "admin";
            /**
             * @description ADMINISTRATOR: an administrator gave it; GROUP: a group at the provider of OpenID Connect does
             * @enum {unknown}
             */
            from: "ADMINISTRATOR" | "GROUP";
            /** @description The name of the group; `*` stands for everybody there */
            group: string | null;
        };
        /** Person */
        Person: {
            name: string;
            /** @description The name as pages and mails show it: as an administrator or the person wrote it */
            displayName: string;
            email: string | null;
            isEmailVerified: boolean;
            scopes: ("create" | "read" | "manage" | "metrics" | "admin")[];
            scopeSources: components["schemas"]["ScopeSource"][];
            teams: string[];
            /** @description True: may use a password also with app.oidc.only */
            isEmergency: boolean;
            signsInWith: ("PASSWORD" | "PROVIDER")[];
            /**
             * @description INVITED: has neither set a password nor signed in with OpenID Connect
             * @enum {unknown}
             */
            state: "INVITED" | "ACTIVE" | "DEACTIVATED";
            /** Format: date-time */
            createdAt: string;
            lastSignInAt: string | null;
            linkCount: number;
        };
        /** PersonList */
        PersonList: {
            items: components["schemas"]["Person"][];
        };
        /** NewPerson */
        NewPerson: {
            /** @description Letters of one script; shown as it is sent, and compared in lower case. Unique, also among deactivated people and owners of links */
            name: string;
            email?: string | null;
            scopes: ("create" | "read" | "manage" | "metrics" | "admin")[];
            teams?: string[];
            /** @description True: may use a password also with app.oidc.only */
            isEmergency?: boolean;
            /** @description True: the person gets the links that a user of the reverse proxy owns by this name */
            ownsLinks?: boolean;
        };
        /** PasswordLink */
        PasswordLink: {
            /**
             * Format: uri
             * @description The address of a page that sets the password once. It is shown only now
             */
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /** AddedPerson */
        AddedPerson: {
            person: components["schemas"]["Person"];
            passwordLink: components["schemas"]["PasswordLink"];
        };
        /** PersonName */
        PersonName: {
            name: string;
            /** @description The name as pages and mails show it: as an administrator or the person wrote it */
            displayName: string;
        };
        /** PeopleNames */
        PeopleNames: {
            items: components["schemas"]["PersonName"][];
        };
        /** PersonPatch */
        PersonPatch: {
            /** @description The name as it is shown; in lower case, it is no name of another person */
            displayName?: string;
            scopes?: ("create" | "read" | "manage" | "metrics" | "admin")[];
            email?: string | null;
            teams?: string[];
            /** @description True: may use a password also with app.oidc.only */
            isEmergency?: boolean;
            isActive?: boolean;
            /** @description The active person who gets the links; needed with `isActive: false` if there are some */
            linksTo?: string;
        };
        /** Team */
        Team: {
            name: string;
            members: string[];
            linkCount: number;
        };
        /** TeamList */
        TeamList: {
            items: components["schemas"]["Team"][];
        };
        /** NewTeam */
        NewTeam: {
            name: string;
            members?: string[];
        };
        /** TeamPatch */
        TeamPatch: {
            name?: string;
            members?: string[];
        };
        /** ApiKey */
        ApiKey: {
            name: string;
            scopes: ("create" | "read" | "manage" | "metrics" | "admin")[];
            /** @description Those of the key that its owner has now */
            effectiveScopes: ("create" | "read" | "manage" | "metrics" | "admin")[];
            /** @description The person whose key it is; null for the key of a service */
            owner: string | null;
            /** Format: date-time */
            createdAt: string;
            expiresAt: string | null;
            lastUsedAt: string | null;
            /** @enum {unknown} */
            state: "ACTIVE" | "EXPIRED" | "REVOKED";
        };
        /** ApiKeys */
        ApiKeys: {
            items: components["schemas"]["ApiKey"][];
        };
        /** NewApiKey */
        NewApiKey: {
            /** @description Unique, also among revoked keys */
            name: string;
            scopes: ("create" | "read" | "manage" | "metrics" | "admin")[];
            expiresAt?: string | null;
            /** @description The person whose key it is; null for the key of a service */
            owner?: string | null;
        };
        /** CreatedApiKey */
        CreatedApiKey: {
            /** @description The key itself. It is shown only now */
            key: string;
            record: components["schemas"]["ApiKey"];
        };
        /** Erasure */
        Erasure: {
            /** @description The entries of this client address, attempts and changes */
            ipAddress?: string;
            /** @description The entries of a link, and its terms for people; with `verifiedRecipients`, it is revoked */
            shortCode?: string;
            /** @description The same of links with, mailed to or verified for this recipient */
            recipient?: string;
            /** @description True: only counts what it would erase */
            isDryRun?: boolean;
        };
        /** ErasureResult */
        ErasureResult: {
            /** @description The entries whose personal fields were erased */
            entries: number;
            /** @description The links whose terms for people were erased */
            links: number;
            /** @description The hours whose statistics of addresses were updated, also of an earlier erasure */
            hours: number;
        };
        /** CompleteBackup */
        CompleteBackup: {
            /**
             * Format: date-time
             * @description When the backup was begun
             */
            startedAt: string;
        };
        /** FailedNotification */
        FailedNotification: {
            /** @description The webhook-id */
            id: string;
            /**
             * @description WEBHOOK: app.webhooks.url; LINK_WEBHOOK: the notifyUrl of the link; MAIL: its notifyEmail; LINK_MAIL: a recipient of the link; RECEIPT: a verified recipient who opened it
             * @enum {unknown}
             */
            kind: "WEBHOOK" | "LINK_WEBHOOK" | "MAIL" | "LINK_MAIL" | "RECEIPT";
            /** @description The origin of the URL, or the mail address */
            receiver: string;
            /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
            shortCode: string;
            /**
             * Format: date-time
             * @description When its newest event was added, or when it was sent again
             */
            createdAt: string;
            /** Format: date-time */
            failedAt: string;
            /** @description Requests that ended, without one that a stop cut off */
            tries: number;
            /** @description The error of the last try */
            error: string;
        };
        /** FailedNotifications */
        FailedNotifications: {
            items: components["schemas"]["FailedNotification"][];
        };
        /** LatestAttempt */
        LatestAttempt: {
            /** @description 8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded */
            shortCode: string;
            /** Format: date-time */
            at: string;
            /** @enum {unknown} */
            result: "SUCCESS" | "NOT_FOUND" | "REVOKED" | "EXPIRED" | "VIEW_LIMIT_REACHED" | "PASSWORD_REQUIRED" | "INVALID_PASSWORD" | "UNEXPECTED_STATE" | "RATE_LIMITED" | "PAUSED" | "NOT_STARTED" | "RECIPIENT_REQUIRED" | "INVALID_RECIPIENT";
            count: number;
        };
        /** OwnStatistics */
        OwnStatistics: {
            summary: components["schemas"]["AccessSummary"];
            periods: components["schemas"]["Period"][];
            hours: components["schemas"]["HourlyBucket"][];
            results: components["schemas"]["ResultCount"][];
            topLinks: components["schemas"]["TopLink"][];
            links: components["schemas"]["LinkStatusCounts"];
            sent: components["schemas"]["SentLinks"];
            /** @description The newest attempts that opened a link or were refused, without requests for a password or a code */
            latest: components["schemas"]["LatestAttempt"][];
            views: number;
            /** @description There may be more links or older entries, which were not read */
            isTruncated: boolean;
            referrers: components["schemas"]["NameCount"][];
            browsers: components["schemas"]["NameCount"][];
            systems: components["schemas"]["NameCount"][];
        };
        /** OwnerStorageUse */
        OwnerStorageUse: {
            owner: components["schemas"]["Owner"];
            usedBytes: number;
            fileCount: number;
        };
        /** TeamStorageUse */
        TeamStorageUse: {
            /** @description The name of the team */
            team: string;
            usedBytes: number;
            fileCount: number;
        };
        /** StorageUse */
        StorageUse: {
            usedBytes: number;
            fileCount: number;
            /** @description Null sets no limit */
            quotaBytes: number | null;
            /** @description Null sets no limit */
            quotaPerOwnerBytes: number | null;
            owners: components["schemas"]["OwnerStorageUse"][];
            teams: components["schemas"]["TeamStorageUse"][];
        };
        /** OwnStorageUse */
        OwnStorageUse: {
            usedBytes: number;
            fileCount: number;
            /** @description Null sets no limit */
            quotaBytes: number | null;
        };
        /** Settings */
        Settings: {
            access: {
                /**
                 * @description `keys`: most requests need credentials
                 * @enum {unknown}
                 */
                mode: "open" | "keys";
                /** @description Null for an anonymous request */
                caller: {
                    /** @enum {unknown} */
                    kind: "KEY" | "USER" | "COMMAND";
                    /** @description The name of the key or of the user */
                    name: string;
                    scopes: ("create" | "read" | "manage" | "metrics" | "admin")[];
                    owner: components["schemas"]["Owner"];
                    /** @description The name as pages and mails show it: as an administrator or the person wrote it */
                    displayName?: string;
                    /** @description The names of the teams of the person */
                    teams: string[];
                    /** @description Why a person who has signed in has the scopes */
                    scopeSources: components["schemas"]["ScopeSource"][];
                    /** @description The mail address of that person */
                    email?: string | null;
                    /**
                     * @description True for a person who has signed in with a cookie
                     * @default false
                     */
                    hasSession?: boolean;
                } | null;
                /** @description Whether people were added */
                hasPeople: boolean;
                /**
                 * @description True if the person of the cookie must go through the provider again: the session is refused until then
                 * @default false
                 */
                checksAtProvider?: boolean;
                /** @description Whether people can sign in with OpenID Connect */
                hasProvider: boolean;
            };
            /** @description The limits of new links; lifetimes are ISO 8601 durations, null sets no limit */
            links: {
                /** @description Lifetime of a link that is created without `expiresAt` */
                defaultTtl: string | null;
                maxTtl: string | null;
                maxViews: number | null;
                passwordRequired: boolean;
                /** @description The host names under which a link can be shown, first that of app.base-url */
                hosts: string[];
                /** @description Whether a client may choose the short code of its link */
                customCodes: boolean;
            };
            /** @description Whether the caller may create a link with a `notifyEmail`, and with a `notifyUrl`; `ownEmail`: the verified address of the person, which is allowed in any case; `recipient`: whether the caller may mail a link to its recipient; `verifiedRecipients`: whether a link of the caller may name those who prove their address; `invitations`: whether the caller may mail password links to people */
            notify: {
                email: boolean;
                ownEmail?: string;
                url: boolean;
                recipient?: boolean;
                verifiedRecipients?: boolean;
                invitations?: boolean;
            };
            /** @description The pages that this port serves; with `app.management.port`, each port has its own */
            pages: ("create" | "links" | "link" | "dashboard" | "docs")[];
            /** @description The largest file that can be uploaded */
            maxFileBytes: number;
            /** @description The bounds of uploads that resume */
            upload: {
                /** @description The largest body of one PATCH that proxies in front of the service need to pass on */
                chunkBytes: number;
                /** @description The most files of one link */
                maxFiles: number;
                /** @description Whether a file opens only after a scan, so that none can be encrypted */
                scanRequired: boolean;
            };
        };
        /** NewDisplayName */
        NewDisplayName: {
            /** @description The name as pages and mails show it: as an administrator or the person wrote it */
            displayName: string;
        };
    };
    responses: {
        /** @description What requests can also get: 400 if malformed, 405 for another method, 408 if they arrive too slowly, 421 for an unknown host, 431 for headers over 32 KiB, 503 for too many connections */
        CommonError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Bad Request */
        Error400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Bad Request */
        Error400OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Unauthorized */
        Error401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unauthorized */
        Error401OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Forbidden */
        Error403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Forbidden */
        Error403OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Not Found */
        Error404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not Found */
        Error404OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Conflict */
        Error409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Gone */
        Error410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Gone */
        Error410OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Precondition Failed */
        Error412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Precondition Failed */
        Error412OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Payload Too Large */
        Error413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Payload Too Large */
        Error413OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Unsupported Media Type */
        Error415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unsupported Media Type */
        Error415OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Range Not Satisfiable */
        Error416OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Unprocessable Entity */
        Error422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Locked */
        Error423: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Precondition Required */
        Error428OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Too Many Requests */
        Error429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too Many Requests */
        Error429OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Internal Server Error */
        Error500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal Server Error */
        Error500OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Bad Gateway */
        Error502: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Service Unavailable */
        Error503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Service Unavailable */
        Error503OrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "text/html": string;
            };
        };
        /** @description Insufficient Storage */
        Error507: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Resolution = components['schemas']['Resolution'];
export type FileRequest = components['schemas']['FileRequest'];
export type OpenRequest = components['schemas']['OpenRequest'];
export type VisitForm = components['schemas']['VisitForm'];
export type DryRun = components['schemas']['DryRun'];
export type SubmissionForm = components['schemas']['SubmissionForm'];
export type ReceivedFile = components['schemas']['ReceivedFile'];
export type Receipt = components['schemas']['Receipt'];
export type File = components['schemas']['File'];
export type KnownFetches = components['schemas']['KnownFetches'];
export type Owner = components['schemas']['Owner'];
export type UnsentMail = components['schemas']['UnsentMail'];
export type LinkDescription = components['schemas']['LinkDescription'];
export type LinkPage = components['schemas']['LinkPage'];
export type AnnouncedFile = components['schemas']['AnnouncedFile'];
export type AnnouncedFiles = components['schemas']['AnnouncedFiles'];
export type Upload = components['schemas']['Upload'];
export type NewFileRequest = components['schemas']['NewFileRequest'];
export type LinkRequest = components['schemas']['LinkRequest'];
export type Link = components['schemas']['Link'];
export type UploadForm = components['schemas']['UploadForm'];
export type RedirectRequest = components['schemas']['RedirectRequest'];
export type BulkRequest = components['schemas']['BulkRequest'];
export type NewLink = components['schemas']['NewLink'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type Error = components['schemas']['Error'];
export type BulkResult = components['schemas']['BulkResult'];
export type BulkResults = components['schemas']['BulkResults'];
export type LinkPatch = components['schemas']['LinkPatch'];
export type FileOfSet = components['schemas']['FileOfSet'];
export type FileList = components['schemas']['FileList'];
export type NewShortCode = components['schemas']['NewShortCode'];
export type MailRecipient = components['schemas']['MailRecipient'];
export type FileForm = components['schemas']['FileForm'];
export type DownloadEnd = components['schemas']['DownloadEnd'];
export type AttemptEntry = components['schemas']['AttemptEntry'];
export type Author = components['schemas']['Author'];
export type ChangedTerm = components['schemas']['ChangedTerm'];
export type ChangeEntry = components['schemas']['ChangeEntry'];
export type HistoryPage = components['schemas']['HistoryPage'];
export type AuditPage = components['schemas']['AuditPage'];
export type CheckpointOfLink = components['schemas']['CheckpointOfLink'];
export type LinkCheckpoint = components['schemas']['LinkCheckpoint'];
export type NewLogKey = components['schemas']['NewLogKey'];
export type LogKey = components['schemas']['LogKey'];
export type RevokeRequest = components['schemas']['RevokeRequest'];
export type RevokeResult = components['schemas']['RevokeResult'];
export type RevokeResults = components['schemas']['RevokeResults'];
export type AccessSummary = components['schemas']['AccessSummary'];
export type HourlyBucket = components['schemas']['HourlyBucket'];
export type DailyBucket = components['schemas']['DailyBucket'];
export type Period = components['schemas']['Period'];
export type ResultCount = components['schemas']['ResultCount'];
export type LinkStatusCounts = components['schemas']['LinkStatusCounts'];
export type SentLinks = components['schemas']['SentLinks'];
export type TopLink = components['schemas']['TopLink'];
export type SecurityException = components['schemas']['SecurityException'];
export type NameCount = components['schemas']['NameCount'];
export type Referrers = components['schemas']['Referrers'];
export type Devices = components['schemas']['Devices'];
export type Health = components['schemas']['Health'];
export type SignIn = components['schemas']['SignIn'];
export type Session = components['schemas']['Session'];
export type Sessions = components['schemas']['Sessions'];
export type NewPassword = components['schemas']['NewPassword'];
export type LinkSecret = components['schemas']['LinkSecret'];
export type PasswordLinkOwner = components['schemas']['PasswordLinkOwner'];
export type ImportedLink = components['schemas']['ImportedLink'];
export type LinkImport = components['schemas']['LinkImport'];
export type ImportRemark = components['schemas']['ImportRemark'];
export type ImportResult = components['schemas']['ImportResult'];
export type ImportResults = components['schemas']['ImportResults'];
export type ScopeSource = components['schemas']['ScopeSource'];
export type Person = components['schemas']['Person'];
export type PersonList = components['schemas']['PersonList'];
export type NewPerson = components['schemas']['NewPerson'];
export type PasswordLink = components['schemas']['PasswordLink'];
export type AddedPerson = components['schemas']['AddedPerson'];
export type PersonName = components['schemas']['PersonName'];
export type PeopleNames = components['schemas']['PeopleNames'];
export type PersonPatch = components['schemas']['PersonPatch'];
export type Team = components['schemas']['Team'];
export type TeamList = components['schemas']['TeamList'];
export type NewTeam = components['schemas']['NewTeam'];
export type TeamPatch = components['schemas']['TeamPatch'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeys = components['schemas']['ApiKeys'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type CreatedApiKey = components['schemas']['CreatedApiKey'];
export type Erasure = components['schemas']['Erasure'];
export type ErasureResult = components['schemas']['ErasureResult'];
export type CompleteBackup = components['schemas']['CompleteBackup'];
export type FailedNotification = components['schemas']['FailedNotification'];
export type FailedNotifications = components['schemas']['FailedNotifications'];
export type LatestAttempt = components['schemas']['LatestAttempt'];
export type OwnStatistics = components['schemas']['OwnStatistics'];
export type OwnerStorageUse = components['schemas']['OwnerStorageUse'];
export type TeamStorageUse = components['schemas']['TeamStorageUse'];
export type StorageUse = components['schemas']['StorageUse'];
export type OwnStorageUse = components['schemas']['OwnStorageUse'];
export type Settings = components['schemas']['Settings'];
export type NewDisplayName = components['schemas']['NewDisplayName'];
export type ResponseCommonError = components['responses']['CommonError'];
export type ResponseError400 = components['responses']['Error400'];
export type ResponseError400OrPage = components['responses']['Error400OrPage'];
export type ResponseError401 = components['responses']['Error401'];
export type ResponseError401OrPage = components['responses']['Error401OrPage'];
export type ResponseError403 = components['responses']['Error403'];
export type ResponseError403OrPage = components['responses']['Error403OrPage'];
export type ResponseError404 = components['responses']['Error404'];
export type ResponseError404OrPage = components['responses']['Error404OrPage'];
export type ResponseError409 = components['responses']['Error409'];
export type ResponseError410 = components['responses']['Error410'];
export type ResponseError410OrPage = components['responses']['Error410OrPage'];
export type ResponseError412 = components['responses']['Error412'];
export type ResponseError412OrPage = components['responses']['Error412OrPage'];
export type ResponseError413 = components['responses']['Error413'];
export type ResponseError413OrPage = components['responses']['Error413OrPage'];
export type ResponseError415 = components['responses']['Error415'];
export type ResponseError415OrPage = components['responses']['Error415OrPage'];
export type ResponseError416OrPage = components['responses']['Error416OrPage'];
export type ResponseError422 = components['responses']['Error422'];
export type ResponseError423 = components['responses']['Error423'];
export type ResponseError428OrPage = components['responses']['Error428OrPage'];
export type ResponseError429 = components['responses']['Error429'];
export type ResponseError429OrPage = components['responses']['Error429OrPage'];
export type ResponseError500 = components['responses']['Error500'];
export type ResponseError500OrPage = components['responses']['Error500OrPage'];
export type ResponseError502 = components['responses']['Error502'];
export type ResponseError503 = components['responses']['Error503'];
export type ResponseError503OrPage = components['responses']['Error503OrPage'];
export type ResponseError507 = components['responses']['Error507'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
