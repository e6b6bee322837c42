//! Signatures of requests to Amazon Web Services (Signature Version 4), in place of a key: each is for one body, and
//! for the minutes around one time.

use std::time::{Duration, SystemTime};

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningParams, SigningSettings, sign};
use aws_sigv4::sign::v4;
use jiff::Timestamp;
use reqwest::Url;

use crate::Secret;

/// What requests are signed with.
#[derive(Debug, Clone)]
pub struct AwsKeys {
    /// Names the secret key.
    pub access_key_id: Secret,
    /// Signs, and is never sent.
    pub secret_access_key: Secret,
    /// Comes with keys that are good for a while only, and is sent.
    pub session_token: Option<Secret>,
}

/// Signs requests to one service in one region.
#[derive(Clone)]
pub struct RequestSigner {
    credentials: Credentials,
    service: &'static str,
    region: String,
    clock: fn() -> Timestamp,
}

impl RequestSigner {
    /// Takes the keys, and the clock that dates every signature.
    #[must_use]
    pub fn new(keys: &AwsKeys, service: &'static str, region: String, clock: fn() -> Timestamp) -> Self {
        let token = keys.session_token.as_ref().map(|token| token.expose().to_owned());
        let (id, secret) = (keys.access_key_id.expose(), keys.secret_access_key.expose());
        let credentials = Credentials::new(id, secret, token, None, "environment");
        Self { credentials, service, region, clock }
    }

    /// The headers that sign a request of this body and media type.
    ///
    /// # Errors
    /// It cannot be signed; the message says why.
    pub(crate) fn sign(
        &self,
        url: &Url,
        media_type: &str,
        body: &[u8],
    ) -> Result<Vec<(String, Secret)>, String> {
        let told = |error: &dyn std::fmt::Display| format!("the request cannot be signed: {error}");
        let identity = self.credentials.clone().into();
        let params: SigningParams<'_> = v4::SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name(self.service)
            .time(seconds((self.clock)()))
            // The path as it is sent, encoded once more, as every service but S3 wants it.
            .settings(SigningSettings::default())
            .build()
            .map_err(|error| told(&error))?
            .into();
        let headers = [("content-type", media_type)].into_iter();
        let request = SignableRequest::new("POST", url.as_str(), headers, SignableBody::Bytes(body))
            .map_err(|error| told(&error))?;
        let (signed, _) = sign(request, &params).map_err(|error| told(&error))?.into_parts();
        Ok(signed.headers().map(|(name, value)| (name.to_owned(), Secret::new(value.to_owned()))).collect())
    }
}

impl std::fmt::Debug for RequestSigner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "RequestSigner({} in {})", self.service, self.region)
    }
}

/// A time in whole seconds, which is what a signature says.
fn seconds(time: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(time.as_second()).unwrap_or(0))
}

/// The region in the host of a base URL, and whether the host is one of Amazon Web Services at all: none where it is
/// not, an empty region where its name has none (`bedrock-runtime.REGION.amazonaws.com`, and the names of endpoints
/// within a private network).
#[must_use]
pub fn aws_region_of(base_url: &str) -> Option<String> {
    let url = Url::parse(base_url).ok()?;
    let host = url.host_str()?;
    let own = ["amazonaws.com", "amazonaws.com.cn", "api.aws", "api.amazonwebservices.com.cn"];
    let labels = own.iter().find_map(|domain| host.strip_suffix(domain)?.strip_suffix('.'))?;
    let labels = labels.strip_suffix(".vpce").unwrap_or(labels);
    Some(labels.rsplit_once('.').map(|(_, region)| region.to_owned()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider;

    const BODY: &[u8] = br#"{"messages":[{"role":"user","content":[{"text":"Is gate 4 open?"}]}]}"#;

    fn keys(token: Option<&str>) -> AwsKeys {
        AwsKeys {
            access_key_id: Secret::new("AKIDFERN0MOSS1EXAMPLE".into()),
            secret_access_key: Secret::new("fernSecret/0+moss1birch2aster3linden4elm5".into()),
            session_token: token.map(|token| Secret::new(token.into())),
        }
    }

    fn at() -> Timestamp {
        "2027-02-18T09:30:05Z".parse().unwrap()
    }

    fn signed(
        base: &str,
        model: &str,
        token: Option<&str>,
        region: &str,
        body: &[u8],
    ) -> Vec<(String, String)> {
        let (address, query) =
            base.split_once('?').map_or((base, String::new()), |(a, q)| (a, format!("?{q}")));
        let path = (provider("bedrock_converse").unwrap().path)(model);
        let url = Url::parse(&format!("{address}{path}{query}")).unwrap();
        let signer = RequestSigner::new(&keys(token), "bedrock", region.to_owned(), at);
        let headers = signer.sign(&url, "application/json", body).unwrap();
        headers.into_iter().map(|(name, value)| (name, value.expose().to_owned())).collect()
    }

    /// The signatures are those of `SigV4Auth` in botocore 1.44.8 for the same requests, keys and time.
    #[test]
    fn signatures_equal_those_of_the_providers_own_library() {
        let (north, token) =
            ("https://bedrock-runtime.eu-north-1.amazonaws.com", "tokenOfTheSession//aster+1==");
        let arn = "arn:aws:bedrock:eu-north-1:000000000000:inference-profile/eu.fern";
        for (base, model, token, region, body, signature) in [
            (
                north,
                "fern.moss-2-v1:0",
                None,
                "eu-north-1",
                BODY,
                "a7806c0ab61740f0e64306f237c306c9782c2fe4698939c6dda4d7a7eba3cea5",
            ),
            (
                north,
                "fern.moss-2-v1:0",
                Some(token),
                "eu-north-1",
                BODY,
                "f5c41be7eccdb0a10b33e2ec8cd239b19f1bba8c14d437bdb5b8eebd2ee170f9",
            ),
            (
                north,
                arn,
                None,
                "eu-north-1",
                BODY,
                "cacd2beeac8321930c3ed869b307290f2f44fcb3d0f19d706c171e1ea0e809f7",
            ),
            (
                "http://127.0.0.1:8123",
                "fern.moss-2-v1:0",
                None,
                "eu-north-1",
                BODY,
                "e82042347fe9accd529db7b32dae7165c80d1443e809e60bd0c91109bca09816",
            ),
            (
                "https://bedrock-runtime.us-east-1.amazonaws.com?api-version=2",
                "fern-2",
                None,
                "us-east-1",
                b"{}",
                "a67f3ca995babd92574275319cebd41f33b77167a3675fb60f456eed806038f3",
            ),
        ] {
            let headers = signed(base, model, token, region, body);
            let value =
                |name: &str| headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
            let names = if token.is_some() { ";x-amz-security-token" } else { "" };
            let wanted = format!(
                "AWS4-HMAC-SHA256 Credential=AKIDFERN0MOSS1EXAMPLE/20270218/{region}/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-date{names}, Signature={signature}"
            );
            assert_eq!(value("authorization"), Some(wanted.as_str()), "{base} {model}");
            assert_eq!(value("x-amz-date"), Some("20270218T093005Z"));
            assert_eq!(value("x-amz-security-token"), token);
            assert_eq!(headers.len(), 2 + usize::from(token.is_some()));
            assert!(!format!("{headers:?}").contains("fernSecret"));
        }
    }

    #[test]
    fn nothing_of_the_keys_shows() {
        let signer = RequestSigner::new(&keys(Some("tokenOfTheSession")), "bedrock", "eu-north-1".into(), at);
        let shown = format!("{signer:?} {:?}", keys(Some("tokenOfTheSession")));
        assert!(["AKID", "fernSecret", "tokenOf"].iter().all(|part| !shown.contains(part)), "{shown}");
    }

    #[test]
    fn the_region_stands_in_the_host() {
        for (url, region) in [
            ("https://bedrock-runtime.eu-north-1.amazonaws.com", Some("eu-north-1")),
            ("https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com/", Some("us-gov-west-1")),
            ("https://bedrock-runtime.cn-north-1.amazonaws.com.cn", Some("cn-north-1")),
            ("https://bedrock-runtime.eu-west-3.api.aws", Some("eu-west-3")),
            ("https://vpce-0a1.bedrock-runtime.us-east-1.vpce.amazonaws.com:443", Some("us-east-1")),
            ("https://depot.amazonaws.com", Some("")),
            ("https://amazonaws.com.depot.example", None),
            ("https://notamazonaws.com", None),
            ("http://127.0.0.1:8123", None),
            ("depot", None),
        ] {
            assert_eq!(aws_region_of(url).as_deref(), region, "{url}");
        }
    }
}
